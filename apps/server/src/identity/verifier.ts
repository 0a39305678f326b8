import { hash } from 'node:crypto';
import type { Db } from '#db/connect.ts';
import { checkIdToken, type IdTokenClaims } from './id-tokens.ts';
import { InvalidIdToken } from './refusal.ts';
import { remoteKeys } from './remote-keys.ts';
import { ownKeys, type SigningKeys } from './signing-keys.ts';
import { findUserStatus } from './user-repository.ts';

/** The user that an ID token names. Times are in seconds; `authTime` is that of the sign-in. */
export type VerifiedIdentity = Omit<IdTokenClaims, 'expiresAt'>;

export interface VerifierOptions {
  projectId: string;
  /** As in Firebase's tokens when it is left out. */
  issuer?: string;
  /** The embedded service's keys, or a provider's key URL (`firebaseKeys`). */
  keys: SigningKeys | URL;
  /** The embedded service's users. Left out with a real Firebase project, where a token counts until it ends. */
  db?: Db;
}

export interface VerifyOptions {
  /** Also ask whether the user exists, is enabled and has not ended the session since: one query. For moving money. */
  stillValid?: boolean;
}

/**
 * Returns the identity in a token. Throws InvalidIdToken for one that proves nothing; any other error means that the
 * keys or the database could not be reached.
 */
export type VerifyIdToken = (token: string, options?: VerifyOptions) => Promise<VerifiedIdentity>;

export const firebaseKeys = new URL(
  'https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com',
);

export const firebaseIssuer = (projectId: string): string => `https://securetoken.google.com/${projectId}`;

/** Time until a token is rechecked, to find withdrawn keys. */
const rememberMs = 5 * 60_000;
const maxRemembered = 10_000;

/** Creates a deployment's verifier: one issuer, audience and key source. */
export function createVerifier({
  projectId,
  keys,
  db,
  issuer = firebaseIssuer(projectId),
}: VerifierOptions): VerifyIdToken {
  const find = keys instanceof URL ? remoteKeys(keys) : ownKeys(keys);
  const remembered = new Map<string, { checked: IdTokenClaims; until: number }>();

  const check = async (token: string): Promise<IdTokenClaims> => {
    const name = hash('sha256', token, 'base64url');
    const known = remembered.get(name);
    if (known && Date.now() < known.until) return known.checked;
    remembered.delete(name);
    const checked = await checkIdToken(token, find, { issuer, projectId });
    for (const oldest of remembered.keys()) {
      if (remembered.size < maxRemembered) break;
      remembered.delete(oldest);
    }
    remembered.set(name, { checked, until: Math.min(checked.expiresAt * 1000, Date.now() + rememberMs) });
    return checked;
  };

  return async (token, options = {}) => {
    const checked = await check(token);
    if (options.stillValid && db) await refuseEnded(db, checked);
    const { uid, email, isEmailVerified, authTime, issuedAt, sessionId } = checked;
    return { uid, email, isEmailVerified, authTime, issuedAt, sessionId };
  };
}

async function refuseEnded(db: Db, { uid, issuedAt, sessionId }: IdTokenClaims): Promise<void> {
  const status = await findUserStatus(db, uid, sessionId);
  if (!status) throw new InvalidIdToken('deleted');
  if (status.disabled) throw new InvalidIdToken('disabled');
  if (issuedAt < status.validSince || !status.isSessionOpen) throw new InvalidIdToken('revoked');
}
