import type { Db, Pool } from '#db/connect.ts';
import type { TokenIssuer } from './id-token.ts';
import { checkIdToken } from './id-token-check.ts';
import type { IdentityDeps } from './identity-deps.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { defaultPolicy, type PasswordPolicy } from './password-policy.ts';
import { InvalidIdToken, Refused } from './refusal.ts';
import { ownKeys } from './signing-keys.ts';
import { findUser, findUserStatus, type User } from './user-repository.ts';
import { firebaseIssuer } from './verifier.ts';

/** A user with a genuine, current ID token. */
export interface SignedIn {
  user: User;
  authTime: number;
  sessionId: string | undefined;
}

/** The parts that the routes share. */
export interface IdentityService {
  db: Pool;
  issuer: TokenIssuer;
  policy: PasswordPolicy;
  limits: Limits;
  beforeRemove(tx: Db, uid: string): Promise<void>;
  afterRemove(uid: string): Promise<void>;
  afterAddressProven(email: string): Promise<void>;
  beforeAddressChange(tx: Db, change: { uid: string; email: string }): Promise<void>;
  passwordChanged(uid: string): Promise<void>;
  /** Throws Refused: MISSING_ID_TOKEN, INVALID_ID_TOKEN, USER_NOT_FOUND, USER_DISABLED or TOKEN_EXPIRED. */
  signedIn(idToken: string | undefined): Promise<SignedIn>;
}

/** Fills in what may be left out of the dependencies. */
export function identityService(deps: IdentityDeps): IdentityService {
  const { db, keys, projectId, issuer = firebaseIssuer(projectId) } = deps;
  const find = ownKeys(keys);
  return {
    db,
    issuer: { keys, issuer, projectId },
    policy: deps.passwordPolicy ?? defaultPolicy,
    limits: deps.limits ?? defaultLimits,
    beforeRemove: async (tx, uid) => deps.beforeRemove?.(tx, uid),
    afterRemove: async (uid) => deps.afterRemove?.(uid),
    afterAddressProven: async (email) => deps.afterAddressProven?.(email),
    beforeAddressChange: async (tx, change) => deps.beforeAddressChange?.(tx, change),
    passwordChanged: async (uid) => deps.passwordChanged?.(uid),
    signedIn: async (idToken) => {
      if (!idToken) throw new Refused('MISSING_ID_TOKEN');
      const token = await checkIdToken(idToken, find, { issuer, projectId }).catch((error: unknown) => {
        throw error instanceof InvalidIdToken ? new Refused('INVALID_ID_TOKEN') : error;
      });
      const user = await findUser(db, token.uid);
      if (!user) throw new Refused('USER_NOT_FOUND');
      if (user.disabled) throw new Refused('USER_DISABLED');
      if (token.issuedAt < user.validSince) throw new Refused('TOKEN_EXPIRED');
      const status = await findUserStatus(db, token.uid, token.sessionId);
      if (!status?.isSessionOpen) throw new Refused('TOKEN_EXPIRED');
      return { user, authTime: token.authTime, sessionId: token.sessionId };
    },
  };
}
