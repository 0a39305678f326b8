import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { followPasswordChange } from './follow-changes.ts';
import { localeOf, originOf, parseContinueUrl, parseEmail, parseInput } from './input.ts';
import {
  changeLimits,
  forgetAttempts,
  giveBackAttempt,
  resetLimits,
  resetsExceeded,
  signInLimits,
  takeAttempt,
  takenAddressLimits,
} from './limits.ts';
import { rememberNetwork } from './network.ts';
import { insertOobRequest, type OobCode, type OobRequest, type OobRequestType } from './oob-code-repository.ts';
import { readOobCode, resetPassword } from './oob-codes.ts';
import type { OobMails } from './oob-mails.ts';
import { Refused } from './refusal.ts';
import type { IdentityDeps, IdentityService } from './service.ts';
import { refuseOldSignIn } from './session.ts';
import { isAddressInUse } from './user-repository.ts';

const SendOobCode = z.object({
  requestType: z.union([z.string(), z.int()]).default(''),
  email: z.string().default(''),
  newEmail: z.string().default(''),
  idToken: z.string().default(''),
  continueUrl: z.string().max(2048).optional(),
  returnOobLink: z.unknown().optional(),
});
type SendOobCode = z.infer<typeof SendOobCode>;

/** Requests by name and, as Android sends them, by number. */
const requestTypes = new Map<string | number, OobRequestType>([
  ['PASSWORD_RESET', 'password_reset'],
  [1, 'password_reset'],
  ['VERIFY_EMAIL', 'verify_email'],
  [4, 'verify_email'],
  ['VERIFY_AND_CHANGE_EMAIL', 'verify_and_change_email'],
  [7, 'verify_and_change_email'],
]);

const tooManyCodes = (): Refused => new Refused('TOO_MANY_ATTEMPTS_TRY_LATER');

function parseNewEmail(text: string): string {
  if (text === '') throw new Refused('MISSING_NEW_EMAIL');
  try {
    return parseEmail(text);
  } catch {
    throw new Refused('INVALID_NEW_EMAIL');
  }
}

/** Serves sendPasswordResetEmail, sendEmailVerification and verifyBeforeUpdateEmail; oob-mails.ts emails later. */
export function sendOobCodeRoutes(
  scope: FastifyInstance,
  service: IdentityService,
  { isAllowedOrigin }: Pick<IdentityDeps, 'isAllowedOrigin'>,
  mails: OobMails,
): void {
  const { db, limits } = service;

  /** Answers an unknown address identically, after the same work. */
  const passwordReset = async (input: SendOobCode, request: FastifyRequest): Promise<OobRequest> => {
    if (input.email === '') throw new Refused('MISSING_EMAIL');
    const email = parseEmail(input.email);
    await takeAttempt(db, resetLimits(limits, request.ip, email), resetsExceeded);
    return { requestType: 'password_reset', email };
  };
  const authenticate = (idToken: string) => {
    if (idToken === '') throw new Refused('INVALID_ID_TOKEN'); // as Google does here, and here alone
    return service.authenticate(idToken);
  };
  const verifyEmail = async ({ idToken }: SendOobCode, request: FastifyRequest): Promise<OobRequest> => {
    const { uid, email } = (await authenticate(idToken)).user;
    await takeAttempt(db, resetLimits(limits, request.ip, email), tooManyCodes);
    return { requestType: 'verify_email', uid, email };
  };
  /** Limits probing for registered addresses as sign-up does. */
  const changeEmail = async (input: SendOobCode, request: FastifyRequest): Promise<OobRequest> => {
    const caller = await authenticate(input.idToken);
    refuseOldSignIn(caller);
    const newEmail = parseNewEmail(input.newEmail);
    const { uid, email, readAt, validSince } = caller.user;
    const probing = takenAddressLimits(limits, request.ip);
    const counted = [...changeLimits(limits, uid), ...resetLimits(limits, request.ip, newEmail), ...probing];
    await takeAttempt(db, counted, tooManyCodes);
    if (await isAddressInUse(db, newEmail, uid)) throw new Refused('EMAIL_EXISTS');
    await giveBackAttempt(db, probing);
    return { requestType: 'verify_and_change_email', uid, email, newEmail, since: Math.max(readAt, validSince) };
  };
  const ask = { password_reset: passwordReset, verify_email: verifyEmail, verify_and_change_email: changeEmail };

  scope.post('/v1/accounts::sendOobCode', async (request) => {
    const input = parseInput(SendOobCode, request.body);
    if (input.requestType === '') throw new Refused('MISSING_REQ_TYPE');
    const requestType = requestTypes.get(input.requestType);
    if (requestType === undefined || requestType === 'recover_email') throw new Refused('OPERATION_NOT_ALLOWED');
    if (input.returnOobLink) throw new Refused('INSUFFICIENT_PERMISSION');
    const continueUrl = parseContinueUrl(input.continueUrl, isAllowedOrigin);
    const asked = await ask[requestType](input, request);
    const origin = originOf(request, isAllowedOrigin);
    await insertOobRequest(db, { ...asked, locale: localeOf(request), origin, continueUrl });
    mails.wake();
    return { kind: 'identitytoolkit#GetOobConfirmationCodeResponse', email: asked.email };
  });
}

const ResetPassword = z.object({ oobCode: z.string().default(''), newPassword: z.string().optional() });

const present = ({ requestType, email, newEmail }: Pick<OobCode, 'requestType' | 'email' | 'newEmail'>) => ({
  kind: 'identitytoolkit#ResetPasswordResponse',
  requestType: requestType.toUpperCase(),
  email,
  ...(newEmail ? { newEmail } : {}),
});

/** Serves verifyPasswordResetCode and checkActionCode and, given a new password, confirmPasswordReset. */
export function resetPasswordRoutes(scope: FastifyInstance, service: IdentityService): void {
  const { db, policy, limits } = service;
  scope.post('/v1/accounts::resetPassword', async (request) => {
    const { oobCode, newPassword } = parseInput(ResetPassword, request.body);
    if (oobCode === '') throw new Refused('MISSING_OOB_CODE');
    if (newPassword === undefined) return present((await readOobCode(db, oobCode)).code);
    const { uid, email } = await resetPassword(db, policy, oobCode, newPassword);
    await rememberNetwork(db, uid, request.ip); // guesses made elsewhere shut nobody out of here again
    const [, ...ofAccount] = signInLimits(limits, request.ip, email, false);
    await service
      .afterAddressProven(email)
      .catch((err) => request.log.error({ err }, 'recording the verified address failed'));
    await followPasswordChange(service, uid).catch((err) =>
      request.log.error({ err }, 'queueing the password-changed mail failed'),
    );
    await forgetAttempts(db, ofAccount); // TOO_MANY_ATTEMPTS promises that a reset lets one in again
    return present({ requestType: 'password_reset', email, newEmail: null });
  });
}
