import { errors, type JWTVerifyGetKey, jwtVerify, SignJWT } from 'jose';
import { ZodError, z } from 'zod';
import { InvalidIdToken } from './refusal.ts';
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
 * Signs the ID token of a user's session: Firebase's header and claims, and `sid`, the session's id, by which a session can
 * end before its token does.
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

/** Claims of a genuine ID token; times are in seconds since 1970. */
export interface IdTokenClaims {
  uid: string;
  email: string;
  authTime: number;
  issuedAt: number;
  isEmailVerified: boolean;
  /** The session, in tokens of the embedded service. */
  sessionId?: string | undefined;
  expiresAt: number;
}

const Claims = z.object({
  sub: z.string().min(1).max(128),
  email: z.string().min(1),
  email_verified: z.boolean().default(false),
  auth_time: z.number().int(),
  sid: z.string().max(64).optional(),
  iat: z.number().int(),
  exp: z.number().int(),
});

/** Seconds by which the clocks of two servers may differ. */
export const toleranceSeconds = 5;

function asInvalid(error: unknown): unknown {
  if (error instanceof errors.JWTExpired) return new InvalidIdToken('expired', { cause: error });
  if (error instanceof errors.JOSEError || error instanceof ZodError) {
    return new InvalidIdToken('invalid', { cause: error });
  }
  return error;
}

/**
 * Checks an ID token as Firebase's Admin SDK does: RS256 and nothing else, a key of `keys`, issuer, audience, times and
 * a subject of 1 to 128 characters. Throws InvalidIdToken, and any error of `keys` when it cannot get the keys.
 */
export async function checkIdToken(
  token: string,
  keys: JWTVerifyGetKey,
  expected: { issuer: string; projectId: string },
): Promise<IdTokenClaims> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer: expected.issuer,
      audience: expected.projectId,
      algorithms: ['RS256'],
      maxTokenAge: idTokenSeconds, // with it jose also refuses an iat in the future
      clockTolerance: toleranceSeconds,
      requiredClaims: ['sub', 'auth_time', 'iat', 'exp'],
    });
    const { sub, email, email_verified, auth_time, sid, iat, exp } = Claims.parse(payload);
    if (auth_time > Date.now() / 1000 + toleranceSeconds) throw new InvalidIdToken('invalid');
    return {
      uid: sub,
      email,
      isEmailVerified: email_verified,
      authTime: auth_time,
      issuedAt: iat,
      sessionId: sid,
      expiresAt: exp,
    };
  } catch (error) {
    throw asInvalid(error);
  }
}
