import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { IdentityDeps } from './identity-deps.ts';
import { parseEmail, parseInput } from './input.ts';
import { resetBuckets, resetsExceeded, takeAttempt } from './limits.ts';
import { Refused } from './refusal.ts';
import type { ResetMails } from './reset-mail.ts';
import { insertResetRequest } from './reset-request-repository.ts';
import type { IdentityService } from './service.ts';

const SendOobCode = z.object({
  requestType: z.union([z.string(), z.int()]).default(''),
  email: z.string().default(''),
  continueUrl: z.string().max(2048).optional(),
  returnOobLink: z.unknown().optional(),
});

/** The request's name and, as Android sends it, its number. */
const passwordReset = new Set<string | number>(['PASSWORD_RESET', 1]);

type AllowsOrigin = IdentityDeps['isAllowedOrigin'];

/** Where the reset page may go afterwards. Throws INVALID_CONTINUE_URI or UNAUTHORIZED_DOMAIN. */
function parseContinueUrl(text: string | undefined, isAllowedOrigin: AllowsOrigin): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) throw new Refused('INVALID_CONTINUE_URI');
  if (!isAllowedOrigin(new URL(url.origin))) {
    throw new Refused('UNAUTHORIZED_DOMAIN : Domain not allowlisted by project');
  }
  return url.href;
}

/** The origin a request came to. The Host header is the caller's word, so only an allowed one may get into a mail. */
function originOf(request: FastifyRequest, isAllowedOrigin: AllowsOrigin): string | undefined {
  const url = URL.parse(`${request.protocol}://${request.host}`);
  return url && isAllowedOrigin(new URL(url.origin)) ? url.origin : undefined;
}

/** A language tag as browsers send it; anything else counts as none. */
function localeOf(request: FastifyRequest): string | undefined {
  const header = request.headers['x-firebase-locale'];
  return typeof header === 'string' && /^[a-z]{2,3}([-_][a-z0-9]{2,8}){0,3}$/i.test(header) ? header : undefined;
}

/**
 * sendPasswordResetEmail. An unknown address gets the same answer after the same work; the mail is made and sent later
 * (runtime/reset-mail.ts).
 */
export function resetRequestRoutes(
  scope: FastifyInstance,
  { db, limits }: IdentityService,
  { isAllowedOrigin }: Pick<IdentityDeps, 'isAllowedOrigin'>,
  mails: ResetMails,
): void {
  scope.post('/v1/accounts::sendOobCode', async (request) => {
    const input = parseInput(SendOobCode, request.body);
    if (input.requestType === '') throw new Refused('MISSING_REQ_TYPE');
    if (!passwordReset.has(input.requestType)) throw new Refused('OPERATION_NOT_ALLOWED');
    if (input.returnOobLink) throw new Refused('INSUFFICIENT_PERMISSION');
    if (input.email === '') throw new Refused('MISSING_EMAIL');
    const email = parseEmail(input.email);
    const continueUrl = parseContinueUrl(input.continueUrl, isAllowedOrigin);
    await takeAttempt(db, resetBuckets(limits, request.ip, email), resetsExceeded);
    const origin = originOf(request, isAllowedOrigin);
    await insertResetRequest(db, { email, locale: localeOf(request), origin, continueUrl });
    mails.wake();
    return { kind: 'identitytoolkit#GetOobConfirmationCodeResponse', email };
  });
}
