import type { ErrorBody, ErrorCode } from '@sparechange/contract';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ZodError } from 'zod';
import { isDatabaseUnavailable } from '#db/database-answers.ts';
import { InvalidInput, Refusal, Unavailable } from '#errors.ts';
import { ProviderRefused, ProviderUnavailable } from '#ports/errors.ts';

/** The status that each code is answered with. */
const statuses: Record<ErrorCode, number> = {
  'invalid-input': 400,
  'unknown-tenant': 401,
  'unknown-key': 401,
  'signed-out': 401,
  'not-allowed': 403,
  'requires-recent-login': 403,
  'campaign-ended': 403,
  'not-found': 404,
  conflict: 409,
  'changed-meanwhile': 409,
  'holder-differs': 409,
  'holder-refused': 409,
  'bank-declined': 409,
  'too-many-requests': 429,
  unexpected: 500,
  'provider-unavailable': 502,
  unavailable: 503,
};

/** A refusal of HTTP alone, with its status or Retry-After. */
export class HttpRefusal extends Refusal {
  /** Named as Fastify and the identity service expect it. */
  readonly statusCode: number;
  readonly retryAfterSeconds: number | undefined;
  constructor(code: ErrorCode, message: string, status = statuses[code], retryAfterSeconds?: number) {
    super(code, message);
    this.statusCode = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export const unknownTenant = () => new HttpRefusal('unknown-tenant', 'The apikey and tenant headers are not known.');
export const unknownKey = () =>
  new HttpRefusal('unknown-key', 'The API key is missing, unknown or not valid any more.');
export const tooManyRequests = (retryAfterSeconds: number) =>
  new HttpRefusal('too-many-requests', 'Too many requests; please wait a little.', 429, retryAfterSeconds);
/** The caller was too slow to send the request. */
export const tooSlow = () => new HttpRefusal('invalid-input', 'The request did not arrive in time.', 408);

/** Seconds of Retry-After while something is unavailable. */
const unavailableSeconds = 2;

/** Returns the status that a refusal is answered with. */
export const statusOf = (refusal: Refusal): number =>
  refusal instanceof HttpRefusal ? refusal.statusCode : statuses[refusal.code];

/** Returns whether the caller broke off sending: nothing failed here. */
const isBrokenOff = (error: unknown, { raw }: FastifyRequest): boolean =>
  raw.complete === false && (error as NodeJS.ErrnoException).code === 'ECONNRESET';

/** Returns what an error is answered as. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof ZodError) {
    // Of several things wrong with a field the first is the one to say: an empty one is missing, not too short.
    const fields = Object.fromEntries(error.issues.toReversed().map((issue) => [issue.path.join('.'), issue.message]));
    return new InvalidInput('The request is not as it should be.', fields);
  }
  if (error instanceof ProviderUnavailable || error instanceof ProviderRefused) {
    return new Unavailable('The bank or payment service cannot be reached just now.', 'provider-unavailable');
  }
  if (isDatabaseUnavailable(error)) return new Unavailable();
  const { statusCode, message, code } = error as FastifyError;
  if (code === 'FST_ERR_BAD_URL') return new InvalidInput('That is no address.'); // its own words repeat it, and go into the log
  if (statusCode === 503) return new Unavailable(); // the handler took too long
  if (statusCode && statusCode >= 400 && statusCode < 500) return new HttpRefusal('invalid-input', message, statusCode);
  return new HttpRefusal('unexpected', 'Something unexpected happened.');
}

const retryAfterOf = ({ code }: Refusal) => (code === 'unavailable' ? unavailableSeconds : undefined);

/** Returns the body of a refusal, wherever it happens. */
export const errorBody = ({ code, message, fields }: Refusal, requestId: string): ErrorBody => ({
  error: { code, message, requestId, ...(fields ? { fields } : {}) },
});

/** Hides whose address a refusal is about: none is logged. */
const withoutAddresses = (text: string): string => text.replace(/\S+@\S+/g, '(address)');

/** Answers errors with a status and body; nothing else does. */
export function answerError(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const refusal = isBrokenOff(error, request)
    ? new HttpRefusal('invalid-input', 'The request was broken off.')
    : refusalOf(error);
  const status = statusOf(refusal);
  const retryAfterSeconds = refusal instanceof HttpRefusal ? refusal.retryAfterSeconds : retryAfterOf(refusal);
  if (status >= 500) request.log.error({ requestId: request.id, err: error }, 'request failed');
  else
    request.log.info(
      { requestId: request.id, code: refusal.code, cause: withoutAddresses(refusal.message) },
      'request refused',
    );
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
  return reply.status(status).header('cache-control', 'no-store').send(errorBody(refusal, request.id));
}

export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => answerError(request, reply, error));
}
