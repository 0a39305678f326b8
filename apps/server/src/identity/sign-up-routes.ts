import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { addUser } from './add-user.ts';
import { ProfileText, parseEmail, parseInput, refuseTenant } from './input.ts';
import { giveBackAttempt, signUpBuckets, takeAttempt, takenBuckets } from './limits.ts';
import { rememberNetwork } from './network.ts';
import { refuseWeakPassword } from './password-policy.ts';
import { Refused } from './refusal.ts';
import type { IdentityService } from './service.ts';
import { openSession } from './session.ts';
import { findUserByEmail } from './user-repository.ts';

const SignUp = z.object({
  email: z.string().optional(),
  password: z.string().optional(),
  displayName: ProfileText.optional(),
  localId: z.unknown().optional(),
  idToken: z.unknown().optional(),
  targetProjectId: z.unknown().optional(),
  tenantId: z.string().optional(),
});

/** createUserWithEmailAndPassword. */
export function signUpRoutes(scope: FastifyInstance, { db, issuer, policy, limits }: IdentityService): void {
  scope.post('/v1/accounts::signUp', async (request) => {
    const input = parseInput(SignUp, request.body);
    if (input.localId !== undefined) throw new Refused('UNEXPECTED_PARAMETER : User ID');
    if (input.targetProjectId !== undefined) throw new Refused('INSUFFICIENT_PERMISSION');
    refuseTenant(input.tenantId);
    if (input.idToken !== undefined) throw new Refused('OPERATION_NOT_ALLOWED');
    if (input.email === undefined && input.password === undefined) throw new Refused('ADMIN_ONLY_OPERATION');
    if (input.email === '' && input.password === '') throw new Refused('INVALID_EMAIL'); // as Google does since 2023
    if (!input.email) throw new Refused('MISSING_EMAIL');
    const email = parseEmail(input.email);
    if (!input.password) throw new Refused('MISSING_PASSWORD');
    refuseWeakPassword(policy, input.password);
    const taken = takenBuckets(limits, request.ip);
    await takeAttempt(db, [...signUpBuckets(limits, request.ip), ...taken]);
    const added = await addUser(db, { email, password: input.password, displayName: input.displayName });
    const user = await findUserByEmail(db, email);
    if (added === 'email exists' || !user) throw new Refused('EMAIL_EXISTS');
    await giveBackAttempt(db, taken);
    await rememberNetwork(db, user.uid, request.ip);
    const tokens = await openSession(db, issuer, user, { provider: 'password' });
    return {
      kind: 'identitytoolkit#SignupNewUserResponse',
      localId: user.uid,
      email: user.email,
      ...(user.displayName ? { displayName: user.displayName } : {}),
      ...tokens,
    };
  });
}
