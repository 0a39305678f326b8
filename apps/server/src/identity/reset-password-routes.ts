import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { parseInput } from './input.ts';
import { forgetAttempts, signInBuckets } from './limits.ts';
import { rememberNetwork } from './network.ts';
import type { OobCode } from './oob-code-repository.ts';
import { readOobCode } from './oob-codes.ts';
import { Refused } from './refusal.ts';
import { resetPassword } from './reset-password.ts';
import type { IdentityService } from './service.ts';

const ResetPassword = z.object({ oobCode: z.string().default(''), newPassword: z.string().optional() });

const present = ({ requestType, email, newEmail }: Pick<OobCode, 'requestType' | 'email' | 'newEmail'>) => ({
  kind: 'identitytoolkit#ResetPasswordResponse',
  requestType: requestType.toUpperCase(),
  email,
  ...(newEmail ? { newEmail } : {}),
});

/** verifyPasswordResetCode and checkActionCode; with a new password confirmPasswordReset. */
export function resetPasswordRoutes(scope: FastifyInstance, service: IdentityService): void {
  const { db, policy, limits } = service;
  scope.post('/v1/accounts::resetPassword', async (request) => {
    const { oobCode, newPassword } = parseInput(ResetPassword, request.body);
    if (oobCode === '') throw new Refused('MISSING_OOB_CODE');
    if (newPassword === undefined) return present((await readOobCode(db, oobCode)).code);
    const { uid, email } = await resetPassword(db, policy, oobCode, newPassword);
    await rememberNetwork(db, uid, request.ip); // guesses made elsewhere shut nobody out of here again
    const [, ...ofAccount] = signInBuckets(limits, request.ip, email, false);
    await service.afterAddressProven(email).catch((err) => request.log.error({ err }, 'a proven address was not kept'));
    await service.passwordChanged(uid).catch((err) => request.log.error({ err }, 'no mail about a new password'));
    await forgetAttempts(db, ofAccount); // TOO_MANY_ATTEMPTS promises that a reset lets one in again
    return present({ requestType: 'password_reset', email, newEmail: null });
  });
}
