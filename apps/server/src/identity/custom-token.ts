import { errors, jwtVerify, SignJWT } from 'jose';
import { ZodError, z } from 'zod';
import { type TokenIssuer, toleranceSeconds } from './id-tokens.ts';
import { Refused } from './refusal.ts';
import { makeSecret } from './secret.ts';
import { ownKeys } from './signing-keys.ts';

/** The audience of Google's custom tokens, never that of ID tokens, so neither passes for the other. */
const audience = 'https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit';

/** Seconds a hand-off to another tenant's host may take (docs/rules.md#hand-off). */
const lifeSeconds = 60;

export interface HandOff {
  uid: string;
  /** The only host and port at which it is exchanged. */
  host?: string | undefined;
  /** Seconds: the sign-in it continues, so that handing over makes no old sign-in a recent one. */
  authTime?: number | undefined;
  /** Seconds: when the asking session's token was issued; anything that ended that session since ends this too. */
  since?: number | undefined;
  /** The session that asked for it. */
  sessionId?: string | undefined;
}

const Claims = z.object({
  jti: z.string().min(1),
  uid: z.string().min(1).max(128),
  host: z.string().optional(),
  auth_time: z.number().int().optional(),
  since: z.number().int().optional(),
  sid: z.string().max(64).optional(),
  iat: z.number().int(),
  exp: z.number().int(),
});

/** Mints a token for one signInWithCustomToken within 60 seconds. */
export async function mintCustomToken({ keys, issuer }: Pick<TokenIssuer, 'keys' | 'issuer'>, handOff: HandOff) {
  const { kid, privateKey } = await keys.signing();
  const now = Math.floor(Date.now() / 1000);
  const { uid, host, authTime, since, sessionId } = handOff;
  return new SignJWT({ uid, host, auth_time: authTime, since, sid: sessionId })
    .setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' })
    .setIssuer(issuer)
    .setSubject(issuer)
    .setAudience(audience)
    .setJti(makeSecret(16))
    .setIssuedAt(now)
    .setExpirationTime(now + lifeSeconds)
    .sign(privateKey);
}

/** Reads our token, perhaps already used. Throws Refused (INVALID_CUSTOM_TOKEN). */
export async function checkCustomToken({ keys, issuer }: Pick<TokenIssuer, 'keys' | 'issuer'>, token: string) {
  try {
    const { payload } = await jwtVerify(token, ownKeys(keys), {
      issuer,
      audience,
      algorithms: ['RS256'],
      maxTokenAge: lifeSeconds,
      clockTolerance: toleranceSeconds,
    });
    return Claims.parse(payload);
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof ZodError) throw new Refused('INVALID_CUSTOM_TOKEN');
    throw error;
  }
}
