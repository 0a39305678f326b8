import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { checkCustomToken } from './custom-token.ts';
import { parseInput } from './input.ts';
import { Refused } from './refusal.ts';
import type { IdentityService } from './service.ts';
import { isSignedInStill, openSession } from './session.ts';
import { spendToken } from './session-repository.ts';
import { findUser, recordLogin } from './user-repository.ts';

const SignIn = z.object({ token: z.string().default('') });

/** signInWithCustomToken, for hand-offs we minted. Unlike Google's it makes no users, and a token is good once. */
export function customSignInRoutes(scope: FastifyInstance, { db, issuer }: IdentityService): void {
  scope.post('/v1/accounts::signInWithCustomToken', async (request) => {
    const { token } = parseInput(SignIn, request.body);
    if (token === '') throw new Refused('MISSING_CUSTOM_TOKEN');
    const claims = await checkCustomToken(issuer, token);
    if (claims.host !== undefined && claims.host !== request.host) throw new Refused('INVALID_CUSTOM_TOKEN');
    if ((await spendToken(db, claims.jti, claims.exp)) === 'spent before') throw new Refused('INVALID_CUSTOM_TOKEN');
    const user = await findUser(db, claims.uid);
    if (!user) throw new Refused('INVALID_CUSTOM_TOKEN');
    if (user.disabled) throw new Refused('USER_DISABLED');
    const asker = { uid: user.uid, since: claims.since ?? claims.iat, sessionId: claims.sid };
    if (!(await isSignedInStill(db, asker))) throw new Refused('INVALID_CUSTOM_TOKEN');
    const tokens = await openSession(db, issuer, user, { provider: 'custom', authTime: claims.auth_time });
    await recordLogin(db, user.uid);
    return { kind: 'identitytoolkit#VerifyCustomTokenResponse', isNewUser: false, ...tokens };
  });
}
