import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { parseEmail, parseInput, refuseTenant } from './input.ts';
import { giveBackAttempt, signInBuckets, takeAttempt } from './limits.ts';
import { isKnownNetwork, rememberNetwork } from './network.ts';
import { isPassword } from './passwords.ts';
import { Refused } from './refusal.ts';
import type { IdentityService } from './service.ts';
import { openSession } from './session.ts';
import { findUserByEmail, recordLogin } from './user-repository.ts';

const SignIn = z.object({
  email: z.string().optional(),
  password: z.string().default(''),
  tenantId: z.string().optional(),
});

/** signInWithEmailAndPassword and reauthenticateWithCredential. */
export function signInRoutes(scope: FastifyInstance, { db, issuer, limits }: IdentityService): void {
  scope.post('/v1/accounts::signInWithPassword', async (request) => {
    const input = parseInput(SignIn, request.body);
    refuseTenant(input.tenantId);
    if (input.email === undefined) throw new Refused('MISSING_EMAIL');
    const email = parseEmail(input.email);
    if (input.password === '') throw new Refused('MISSING_PASSWORD');
    const user = await findUserByEmail(db, email);
    const isKnown = await isKnownNetwork(db, user?.uid ?? '', request.ip);
    const buckets = signInBuckets(limits, request.ip, email, isKnown);
    await takeAttempt(db, buckets);
    const isRight = await isPassword(user?.passwordHash, input.password);
    if (!user || !isRight) throw new Refused('INVALID_LOGIN_CREDENTIALS');
    await giveBackAttempt(db, buckets);
    if (user.disabled) throw new Refused('USER_DISABLED'); // after the password: only the owner learns it
    const tokens = await openSession(db, issuer, user, { provider: 'password' });
    await recordLogin(db, user.uid);
    await rememberNetwork(db, user.uid, request.ip);
    return {
      kind: 'identitytoolkit#VerifyPasswordResponse',
      registered: true,
      localId: user.uid,
      email: user.email,
      displayName: user.displayName ?? '',
      ...tokens,
    };
  });
}
