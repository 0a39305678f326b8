import { createHmac, timingSafeEqual } from 'node:crypto';
import { type IsoDate, isoDate } from '@sparechange/domain';
import { uuidForm } from '#uuid.ts';

export interface SkippableDebit {
  supporterId: string;
  run: IsoDate;
}

/** Signs links emailed before debits, each for one harmless step. */
export interface DebitLinks {
  /** Skips one run; expires when that begins (packages/domain/src/skipped-debit.ts). */
  skipToken(debit: SkippableDebit): string;
  /** Returns a token's supporter and run; undefined if forged. */
  readSkip(token: string): SkippableDebit | undefined;
  /** Chooses or stops the emails; never expires, even in an old email. */
  stopToken(supporterId: string): string;
  readStop(token: string): string | undefined;
}

const signature = '[\\w-]{43}';
const skipForm = new RegExp(`^(${uuidForm})\\.(\\d{4}-\\d{2}-\\d{2})\\.(${signature})$`);
const idForm = new RegExp(`^(${uuidForm})\\.(${signature})$`);

type Sign = (...parts: string[]) => Buffer;

const signWith =
  (key: Buffer): Sign =>
  (...parts) =>
    createHmac('sha256', key)
      .update(['sparechange debit link 1', ...parts].join('\n'))
      .digest();

function isOurs(given: string, expected: Buffer): boolean {
  const bytes = Buffer.from(given, 'base64url');
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}

/** A token of one id for one purpose. */
const idTokens = (sign: Sign, purpose: string) => ({
  token: (id: string): string => `${id}.${sign(purpose, id).toString('base64url')}`,
  read: (token: string): string | undefined => {
    const [, id, given] = idForm.exec(token) ?? [];
    return id && given && isOurs(given, sign(purpose, id)) ? id : undefined;
  },
});

/** Signs a link that names one id, for one purpose. */
export interface IdLink {
  token(id: string): string;
  /** Returns a token's id; undefined if forged. */
  read(token: string): string | undefined;
}

/** Signs the link by which a club chooses the frequency of its advices; it never expires. */
export const adviceLinks = (key: Buffer): IdLink => idTokens(signWith(key), 'advice');

/**
 * Signs the links by which people sign in to the console; the row of its id holds its expiry, and that it is unused.
 */
export const operatorLinks = (key: Buffer): IdLink => idTokens(signWith(key), 'operator');

/** Signs the link by which a club's contact confirms or stops new bank details. */
export const bankDetailLinks = (key: Buffer): IdLink => idTokens(signWith(key), 'bank details');

/** Signs the link by which a club's contact confirms that it asks to join. */
export const clubRequestLinks = (key: Buffer): IdLink => idTokens(signWith(key), 'club request');

/** A token holds its data and HMAC: nothing is stored. */
export function debitLinks(key: Buffer): DebitLinks {
  const sign = signWith(key);
  const stop = idTokens(sign, 'stop');
  return {
    skipToken: ({ supporterId, run }) =>
      `${supporterId}.${run}.${sign('skip', supporterId, run).toString('base64url')}`,
    readSkip: (token) => {
      const [, supporterId, run, given] = skipForm.exec(token) ?? [];
      if (!supporterId || !run || !given || !isOurs(given, sign('skip', supporterId, run))) return undefined;
      return { supporterId, run: isoDate(run) };
    },
    stopToken: stop.token,
    readStop: stop.read,
  };
}
