import type { Db } from '#db/connect.ts';
import { idTokenSeconds, signIdToken, type TokenIssuer } from './id-tokens.ts';
import { Refused } from './refusal.ts';
import { makeSecret } from './secret.ts';
import type { AuthenticatedUser } from './service.ts';
import {
  endSession,
  findSession,
  insertSession,
  type SignInProvider,
  sessionIdOf,
  touchSession,
} from './session-repository.ts';
import { endSessionsOf, findUser, findUserStatus, type User } from './user-repository.ts';

/** The tokens that a browser gets when it signs in. */
export interface Tokens {
  idToken: string;
  refreshToken: string;
  /** Seconds until the ID token ends, as text, as the SDK expects. */
  expiresIn: string;
}

export interface SignIn {
  provider: SignInProvider;
  /** Seconds, where the person proved who they are before now. */
  authTime?: number | undefined;
}

/** Seconds until an ID token ends, as text. */
export const expiresIn = String(idTokenSeconds);

/**
 * Opens a session for the user as they were read. It begins in the second of that reading and not of now: if the
 * password changed or the account was disabled in between, validSince is later and the session is void from the start.
 * A user changed in this very second has a validSince of the next one; the session is then dated to that.
 */
export async function openSession(db: Db, issuer: TokenIssuer, user: User, signIn: SignIn): Promise<Tokens> {
  const since = Math.max(user.readAt, user.validSince);
  const refreshToken = makeSecret(32);
  const id = sessionIdOf(refreshToken);
  const session = { id, uid: user.uid, since, authTime: signIn.authTime ?? since, provider: signIn.provider };
  await insertSession(db, session);
  return { idToken: await signIdToken(issuer, user, session), refreshToken, expiresIn };
}

/**
 * Returns a fresh ID token for a refresh token. The refresh token stays: the tabs of a browser share it, and replacing it
 * would sign the slower one out. Throws Refused: TOKEN_EXPIRED for a session that was ended, since that makes the SDK
 * sign out, where INVALID_REFRESH_TOKEN would not.
 */
export async function refreshSession(db: Db, issuer: TokenIssuer, refreshToken: string) {
  const session = await findSession(db, sessionIdOf(refreshToken));
  if (!session) throw new Refused('INVALID_REFRESH_TOKEN');
  const user = await findUser(db, session.uid);
  if (!user) throw new Refused('USER_NOT_FOUND');
  if (user.disabled) throw new Refused('USER_DISABLED');
  if (session.hasEnded || session.since < user.validSince) throw new Refused('TOKEN_EXPIRED');
  await touchSession(db, session.id);
  return { idToken: await signIdToken(issuer, user, session), uid: user.uid };
}

interface Presented {
  uid: string;
  sessionId?: string | undefined;
}

/** Ends the embedded service's sessions; without a session id, all of the user's. */
export const ownSessions = (db: Db) => ({
  end: ({ uid, sessionId }: Presented): Promise<void> =>
    sessionId === undefined ? endSessionsOf(db, uid) : endSession(db, uid, sessionId),
  endEvery: ({ uid }: Presented): Promise<void> => endSessionsOf(db, uid),
});

/** A session as its ID token described it; `tokenIssuedAt` is in seconds. */
export interface PresentedSession {
  uid: string;
  tokenIssuedAt: number;
  sessionId?: string | undefined;
}

/** Returns false once the session, every session of its user, or the user has been ended. */
export async function isStillSignedIn(db: Db, { uid, tokenIssuedAt, sessionId }: PresentedSession): Promise<boolean> {
  const status = await findUserStatus(db, uid, sessionId);
  return status !== undefined && !status.disabled && tokenIssuedAt >= status.validSince && status.isSessionOpen;
}

/** Maximum sign-in age, as Firebase's, for changes risking an account. */
const recentSignInSeconds = 5 * 60;

/** Throws CREDENTIAL_TOO_OLD_LOGIN_AGAIN. */
export function refuseOldSignIn({ user, authTime }: Pick<AuthenticatedUser, 'user' | 'authTime'>): void {
  if (user.readAt - authTime > recentSignInSeconds) throw new Refused('CREDENTIAL_TOO_OLD_LOGIN_AGAIN');
}
