import type { Db, Pool } from '#db/connect.ts';
import { checkIdToken, type TokenIssuer } from './id-tokens.ts';
import { defaultLimits, type Limits } from './limits.ts';
import type { OobRequestType } from './oob-code-repository.ts';
import { defaultPolicy, type PasswordPolicy } from './passwords.ts';
import { InvalidIdToken, Refused } from './refusal.ts';
import { ownKeys, type SigningKeys } from './signing-keys.ts';
import { findUser, findUserStatus, type User } from './user-repository.ts';
import { firebaseIssuer } from './verifier.ts';

/** The user of a genuine, current ID token, and the sign-in that it stems from. */
export interface AuthenticatedUser {
  user: User;
  authTime: number;
  sessionId: string | undefined;
}

export interface AddressChange {
  uid: string;
  email: string;
}

export interface PasswordChange {
  uid: string;
  changedAt: Date;
}

/** The parts that the routes share. */
export interface IdentityService {
  db: Pool;
  issuer: TokenIssuer;
  policy: PasswordPolicy;
  limits: Limits;
  beforeRemove(uid: string): Promise<void>;
  afterRemove(uid: string): Promise<void>;
  afterAddressProven(email: string): Promise<void>;
  afterAddressChange(tx: Db, change: AddressChange): Promise<void>;
  passwordChanged(tx: Db, change: PasswordChange): Promise<void>;
  /** Throws Refused: MISSING_ID_TOKEN, INVALID_ID_TOKEN, USER_NOT_FOUND, USER_DISABLED or TOKEN_EXPIRED. */
  authenticate(idToken: string | undefined): Promise<AuthenticatedUser>;
}

/** Fills in defaults of the dependencies. */
export function identityService(deps: IdentityDeps): IdentityService {
  const { db, keys, projectId, issuer = firebaseIssuer(projectId) } = deps;
  const find = ownKeys(keys);
  return {
    db,
    issuer: { keys, issuer, projectId },
    policy: deps.passwordPolicy ?? defaultPolicy,
    limits: deps.limits ?? defaultLimits,
    beforeRemove: async (uid) => deps.beforeRemove?.(uid),
    afterRemove: async (uid) => deps.afterRemove?.(uid),
    afterAddressProven: async (email) => deps.afterAddressProven?.(email),
    afterAddressChange: async (tx, change) => deps.afterAddressChange?.(tx, change),
    passwordChanged: async (tx, change) => deps.passwordChanged?.(tx, change),
    authenticate: async (idToken) => {
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

/** An email whose link holds an out-of-band code's only copy. */
export interface OobMail {
  /** That of its end, the same for each attempt. */
  id: string;
  uid: string;
  requestType: OobRequestType;
  /** Where it goes: a change of address is confirmed by the new one, and may be undone by the old one. */
  email: string;
  link: URL;
  /** As the browser said (`en-AU`); undefined where it said nothing. */
  locale: string | undefined;
}

/** The end of such an email. */
export interface EndedOobMail {
  /** Unique among them. */
  id: string;
  uid: string;
  requestType: OobRequestType;
  attempts: number;
  /** Why it was given up; absent where it was sent. */
  failure?: string | undefined;
}

/** The parts of the link in such an email. */
export interface ActionLink {
  requestType: OobRequestType;
  oobCode: string;
  apiKey: string;
  locale: string | undefined;
  /** Where the page goes afterwards; on an allowed origin. */
  continueUrl: string | undefined;
  /** The origin the code was asked for at, so that the email leads to the same tenant; only if it is an allowed one. */
  origin: string | undefined;
}

export interface IdentityDeps {
  db: Pool;
  keys: SigningKeys;
  projectId: string;
  apiKey: string;
  /** As in Firebase's tokens when it is left out. */
  issuer?: string;
  /** Called only in the background, and again when it throws. */
  sendOobMail(mail: OobMail): Promise<void>;
  /** Called once a user's mail was sent or given up; a failure is logged. */
  oobMailEnded?(mail: EndedOobMail): Promise<void>;
  /**
   * Returns whether links may lead to an origin (`https://aca.example.org`), for continueUrl and the Host header. Every
   * Firebase project allows localhost on any port; away from production so should this.
   */
  isAllowedOrigin(origin: URL): boolean;
  /** The page of the link; `actionPageAt` makes one. */
  actionPage(link: ActionLink): URL;
  /** Called before a removal, again where that fails; throwing keeps the user. */
  beforeRemove?(uid: string): Promise<void>;
  /** Called in the background after removal; a failure is logged. */
  afterRemove?(uid: string): Promise<void>;
  /** Called after an emailed code was used; failures are logged. */
  afterAddressProven?(email: string): Promise<void>;
  /** Called once an address was changed or restored, and again until it succeeds, in a transaction on the server of `db`. */
  afterAddressChange?(tx: Db, change: AddressChange): Promise<void>;
  /** Called after a password change or reset, and again until it succeeds, in such a transaction. */
  passwordChanged?(tx: Db, change: PasswordChange): Promise<void>;
  passwordPolicy?: PasswordPolicy;
  limits?: Limits;
}
