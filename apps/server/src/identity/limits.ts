import type { Db } from '#db/connect.ts';
import { type Limit, takeFromBucket } from '#db/token-bucket.ts';
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
  /** Mails with codes to an address that nobody has proven: whoever typed it may be a stranger to its owner. */
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

/** One bucket to take from. */
export interface Bucket {
  limit: Limit;
  key: string;
}

function bucket(limits: Limits, name: keyof Limits, ...about: string[]): Bucket {
  return { limit: limits[name], key: hashSecret([name, ...about].join('\n')).toString('base64url') }; // hashed: a limit needs no names
}

/**
 * Returns the buckets that count a sign-in. From a network where the user has proven who they are, guesses made
 * elsewhere do not count.
 */
export function signInBuckets(limits: Limits, ip: string, email: string, isKnown: boolean): Bucket[] {
  const ofNetwork = [
    bucket(limits, 'signInByAddress', networkOf(ip, 48)),
    bucket(limits, 'signInByAddressAtAccount', networkOf(ip, 48), email),
  ];
  return isKnown ? ofNetwork : [...ofNetwork, bucket(limits, 'signInAtAccount', email)];
}

export const signUpBuckets = (limits: Limits, ip: string): Bucket[] => [
  bucket(limits, 'signUpByAddress', networkOf(ip, 48)),
];

/** The bucket of addresses found to be taken: taken from with every attempt, and given back where the address was free. */
export const takenBuckets = (limits: Limits, ip: string): Bucket[] => [
  bucket(limits, 'takenByAddress', networkOf(ip, 48)),
];

export const resetBuckets = (limits: Limits, ip: string, email: string): Bucket[] => [
  bucket(limits, 'resetByAddress', networkOf(ip, 48)),
  bucket(limits, 'resetOfAccount', email),
];

export const changeBuckets = (limits: Limits, uid: string): Bucket[] => [bucket(limits, 'changeByUser', uid)];

export const unprovenMailBucket = (limits: Limits, email: string): Bucket => bucket(limits, 'mailToUnproven', email);

/**
 * Takes one attempt from the bucket if there is one left. The attempt is counted before it is made, so that many at the
 * same moment, at whichever server, do not slip through.
 */
export const take = (db: Db, { key, limit }: Bucket): Promise<boolean> =>
  takeFromBucket(db, 'identity.limits', key, limit);

/**
 * Takes an attempt from each bucket in turn and stops at the first empty one: who is shut out at an address uses up
 * nothing of the account. Throws `refusal`, TOO_MANY_ATTEMPTS_TRY_LATER unless it says otherwise.
 */
export async function takeAttempt(db: Db, buckets: Bucket[], refusal: () => Refused = tooManyAttempts): Promise<void> {
  for (const each of buckets) {
    if (!(await take(db, each))) throw refusal();
  }
}

/** Gives each bucket back an attempt that was no guess. */
export async function giveBackAttempt(db: Db, buckets: Bucket[]): Promise<void> {
  const keys = buckets.map(({ key }) => key);
  const seconds = buckets.map(({ limit }) => limit.everySeconds);
  await db`
    update identity.limits as known set drained_at = known.drained_at - make_interval(secs => given.seconds)
    from unnest(${keys}::text[], ${seconds}::float8[]) as given (key, seconds)
    where known.key = given.key`;
}

/** Empties buckets, so that a password reset allows immediate sign-in. */
export async function forgetAttempts(db: Db, buckets: Bucket[]): Promise<void> {
  await db`delete from identity.limits where key = any(${buckets.map(({ key }) => key)}::text[])`;
}

export const resetsExceeded = (): Refused => new Refused('RESET_PASSWORD_EXCEED_LIMIT');
