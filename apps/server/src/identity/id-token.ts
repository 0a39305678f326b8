import { SignJWT } from 'jose';
import type { Session } from './session-repository.ts';
import type { SigningKeys } from './signing-keys.ts';
import type { User } from './user-repository.ts';

/** Seconds an ID token lives: one hour, as Firebase's do. */
export const idTokenSeconds = 3600;

/** The issuer and the audience of tokens. */
export interface TokenIssuer {
  keys: SigningKeys;
  issuer: string;
  projectId: string;
}

/**
 * The ID token of a user's session: Firebase's header and claims, and `sid`, the session's id, so that the session can be
 * ended before the token does.
 */
export async function signIdToken({ keys, issuer, projectId }: TokenIssuer, user: User, session: Session) {
  const { kid, privateKey } = await keys.signing();
  const issuedAt = Math.max(user.readAt, user.validSince);
  const claims = {
    ...(user.displayName ? { name: user.displayName } : {}),
    ...(user.photoUrl ? { picture: user.photoUrl } : {}),
    auth_time: session.authTime,
    sid: session.id,
    user_id: user.uid,
    email: user.email,
    email_verified: user.emailVerified,
    firebase: { identities: { email: [user.email] }, sign_in_provider: session.provider },
  };
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' })
    .setIssuer(issuer)
    .setAudience(projectId)
    .setSubject(user.uid)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + idTokenSeconds)
    .sign(privateKey);
}
