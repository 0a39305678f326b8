import type { Db } from '#db/connect.ts';
import { type Limit, takeFromTokenBucket } from '#db/token-bucket.ts';
import { networkOf } from './network.ts';
import { Refused, tooManyAttempts } from './refusal.ts';
import { hashSecret } from './secret.ts';

/** Limits by network, by account and by both together. */
export interface Limits {
  signInByAddress: Limit;
  signInAtAccount: Limit;
  /** Tighter than the account's, to stop guessers before the owner. */
  signInByAddressAtAccount: Limit;
  signUpByAddress: Limit;
  /** Sign-ups that learned of an account. */
  takenByAddress: Limit;
  resetByAddress: Limit;
  resetOfAccount: Limit;
  changeByUser: Limit;
  /** Emails with codes to an address that nobody has proven: it may have been typed by a stranger. */
  mailToUnproven: Limit;
}

/** Sign-in limits count only failures; the others count every attempt. */
export const defaultLimits: Limits = {
  signInByAddress: { burst: 200, everySeconds: 3 },
  signInAtAccount: { burst: 50, everySeconds: 60 },
  signInByAddressAtAccount: { burst: 10, everySeconds: 60 },
  signUpByAddress: { burst: 300, everySeconds: 1 },
  takenByAddress: { burst: 10, everySeconds: 6 },
  resetByAddress: { burst: 100, everySeconds: 3 },
  resetOfAccount: { burst: 10, everySeconds: 600 },
  changeByUser: { burst: 30, everySeconds: 60 },
  mailToUnproven: { burst: 3, everySeconds: 6 * 3600 },
};

/** A limit of one network, account or both, by which its attempts are counted. */
export interface KeyedLimit {
  limit: Limit;
  key: string;
}

function limitOf(limits: Limits, name: keyof Limits, ...about: string[]): KeyedLimit {
  return { limit: limits[name], key: hashSecret([name, ...about].join('\n')).toString('base64url') }; // hashed: a limit needs no names
}

/**
 * Returns the limits that a sign-in counts towards. From a network where the user has proven who they are, guesses made
 * elsewhere do not count.
 */
export function signInLimits(limits: Limits, ip: string, email: string, isKnown: boolean): KeyedLimit[] {
  const ofNetwork = [
    limitOf(limits, 'signInByAddress', networkOf(ip, 48)),
    limitOf(limits, 'signInByAddressAtAccount', networkOf(ip, 48), email),
  ];
  return isKnown ? ofNetwork : [...ofNetwork, limitOf(limits, 'signInAtAccount', email)];
}

export const signUpLimits = (limits: Limits, ip: string): KeyedLimit[] => [
  limitOf(limits, 'signUpByAddress', networkOf(ip, 48)),
];

/** The limit on finding addresses taken: every attempt counts, and is given back where the address was free. */
export const takenAddressLimits = (limits: Limits, ip: string): KeyedLimit[] => [
  limitOf(limits, 'takenByAddress', networkOf(ip, 48)),
];

export const resetLimits = (limits: Limits, ip: string, email: string): KeyedLimit[] => [
  limitOf(limits, 'resetByAddress', networkOf(ip, 48)),
  limitOf(limits, 'resetOfAccount', email),
];

export const changeLimits = (limits: Limits, uid: string): KeyedLimit[] => [limitOf(limits, 'changeByUser', uid)];

export const unprovenMailLimit = (limits: Limits, email: string): KeyedLimit =>
  limitOf(limits, 'mailToUnproven', email);

/**
 * Takes one attempt from the limit if there is one left. The attempt is counted before it is made, so that many at the
 * same moment, at whichever server, do not slip through.
 */
export const take = (db: Db, { key, limit }: KeyedLimit): Promise<boolean> =>
  takeFromTokenBucket(db, 'identity.limits', key, limit);

/**
 * Takes an attempt from each limit in turn and stops at the first that is used up: a caller shut out at an address uses
 * up nothing of the account. Throws `refusal`, TOO_MANY_ATTEMPTS_TRY_LATER unless it says otherwise.
 */
export async function takeAttempt(
  db: Db,
  counted: KeyedLimit[],
  refusal: () => Refused = tooManyAttempts,
): Promise<void> {
  for (const each of counted) {
    if (!(await take(db, each))) throw refusal();
  }
}

/** Gives each limit back an attempt that was no guess. */
export async function giveBackAttempt(db: Db, counted: KeyedLimit[]): Promise<void> {
  const keys = counted.map(({ key }) => key);
  const seconds = counted.map(({ limit }) => limit.everySeconds);
  await db`
    update identity.limits as known set drained_at = known.drained_at - make_interval(secs => given.seconds)
    from unnest(${keys}::text[], ${seconds}::float8[]) as given (key, seconds)
    where known.key = given.key`;
}

/** Forgets past attempts, so a password reset allows immediate sign-in. */
export async function forgetAttempts(db: Db, counted: KeyedLimit[]): Promise<void> {
  await db`delete from identity.limits where key = any(${counted.map(({ key }) => key)}::text[])`;
}

export const resetsExceeded = (): Refused => new Refused('RESET_PASSWORD_EXCEED_LIMIT');
