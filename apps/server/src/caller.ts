import { createHash } from 'node:crypto';
import type { KeyScope } from '@sparechange/contract/programs';

/** The user that a valid ID token names. */
export interface Identity {
  uid: string;
  email: string;
  /** Last authentication, in seconds since 1970, where the provider says. */
  authTime?: number | undefined;
  /** Issue of the token, in seconds since 1970, where known. */
  issuedAt?: number | undefined;
  /** True if the address is verified, where the provider says. */
  isEmailVerified?: boolean | undefined;
  /** The token's session, where the identity service is ours. */
  sessionId?: string | undefined;
}

/**
 * Returns whether a sign-in is at most five minutes old, as irreversible calls want (auth/requires-recent-login).
 * Sign-ins happen in the identity provider's time, not the product clock's.
 */
export const isRecentSignIn = (authTime: number | undefined, now: Date): boolean =>
  authTime !== undefined && now.getTime() / 1000 - authTime <= 300;

/** The signed-in supporter; queries use this id, never a payload's. */
export interface Caller extends Identity {
  supporterId: string;
}

/** A program that has shown a valid API key. */
export interface ProgramKey {
  id: string;
  scopes: readonly KeyScope[];
  /** Restricts it to this club and those under it. */
  clubId: string | null;
}

/** Returns the key in a text; undefined unless valid now. */
export type VerifyKey = (text: string) => Promise<ProgramKey | undefined>;

/**
 * Returns the user of a token, undefined unless it is valid and current. With `readsOnly` an answer of the last second
 * will do (docs/decisions/identity.md#sessions).
 */
export type VerifyIdToken = (token: string, options?: { readsOnly?: boolean }) => Promise<Identity | undefined>;

/**
 * The supporter of an identity user, as a UUID derived from the uid: one identity can have one supporter only,
 * without a unique constraint that a distributed database could not keep.
 */
export function supporterIdOf(uid: string): string {
  const hash = createHash('sha256').update(`sparechange supporter ${uid}`).digest();
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x80;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  const hex = hash.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}
