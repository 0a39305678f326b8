import { createHmac, timingSafeEqual } from 'node:crypto';
import { type IsoDate, isoDate } from '@sparechange/domain';

export interface SkippableDebit {
  supporterId: string;
  run: IsoDate;
}

/** Signs links mailed before debits, each for one harmless step. */
export interface DebitLinks {
  /** Skips one run; expires when that begins (packages/domain/src/skipped-debit.ts). */
  skipToken(debit: SkippableDebit): string;
  /** Returns a token's supporter and run; undefined if not ours. */
  readSkip(token: string): SkippableDebit | undefined;
  /** Stops the mails; never expires, even in an old mail. */
  stopToken(supporterId: string): string;
  readStop(token: string): string | undefined;
}

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const signature = '[\\w-]{43}';
const skipForm = new RegExp(`^(${uuid})\\.(\\d{4}-\\d{2}-\\d{2})\\.(${signature})$`);
const stopForm = new RegExp(`^(${uuid})\\.(${signature})$`);

/** A token holds its data and HMAC: nothing is stored. */
export function debitLinks(key: Buffer): DebitLinks {
  const sign = (...parts: string[]): Buffer =>
    createHmac('sha256', key)
      .update(['sparechange debit link 1', ...parts].join('\n'))
      .digest();
  const isOurs = (given: string, expected: Buffer): boolean => {
    const bytes = Buffer.from(given, 'base64url');
    return bytes.length === expected.length && timingSafeEqual(bytes, expected);
  };
  return {
    skipToken: ({ supporterId, run }) =>
      `${supporterId}.${run}.${sign('skip', supporterId, run).toString('base64url')}`,
    readSkip: (token) => {
      const [, supporterId, run, given] = skipForm.exec(token) ?? [];
      if (!supporterId || !run || !given || !isOurs(given, sign('skip', supporterId, run))) return undefined;
      return { supporterId, run: isoDate(run) };
    },
    stopToken: (supporterId) => `${supporterId}.${sign('stop', supporterId).toString('base64url')}`,
    readStop: (token) => {
      const [, supporterId, given] = stopForm.exec(token) ?? [];
      return supporterId && given && isOurs(given, sign('stop', supporterId)) ? supporterId : undefined;
    },
  };
}
