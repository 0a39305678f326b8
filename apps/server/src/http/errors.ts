import type { ErrorBody, ErrorCode } from '@sparechange/contract';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ZodError } from 'zod';
import { isDatabaseAway } from '#db/database-away.ts';
import { ProviderRefused, ProviderUnavailable } from '#ports/errors.ts';

interface Details {
  fields?: Record<string, string>;
  /** Whole seconds, said in the Retry-After header. */
  retryAfterSeconds?: number;
}

/** A refusal the caller may know about. `message` is safe to show. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly status: number;
  readonly code: ErrorCode;
  readonly details: Details;
  constructor(status: number, code: ErrorCode, message: string, details: Details = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }

  /** As Fastify and the identity service's own answers read it. */
  get statusCode(): number {
    return this.status;
  }
}

export const unknownTenant = () => new Refusal(401, 'unknown-tenant', 'The apikey and tenant headers are not known.');
export const signedOut = () => new Refusal(401, 'signed-out', 'Please sign in again.');
export const notAllowed = () => new Refusal(403, 'not-allowed', 'That is not yours.');
export const notFound = (what: string) => new Refusal(404, 'not-found', `${what} was not found.`);
export const conflict = (message: string) => new Refusal(409, 'conflict', message);
export const invalidInput = (message: string, fields?: Record<string, string>) =>
  new Refusal(400, 'invalid-input', message, fields ? { fields } : {});
export const tooManyRequests = (retryAfterSeconds: number) =>
  new Refusal(429, 'too-many-requests', 'Too many requests; please wait a little.', { retryAfterSeconds });
/** The database is slow or away: nothing is wrong with the request, and it may be sent again. */
export const unavailable = () =>
  new Refusal(503, 'unavailable', 'This cannot be done just now; please try again soon.', { retryAfterSeconds: 2 });

/** The caller took longer to send it than anybody waits. */
export const tooSlow = () => new Refusal(408, 'invalid-input', 'The request did not arrive in time.');

/** Whether the caller went away in the middle of sending; nobody reads the answer, and nothing failed here. */
const isBrokenOff = (error: unknown, { raw }: FastifyRequest): boolean =>
  raw.complete === false && (error as NodeJS.ErrnoException).code === 'ECONNRESET';

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof ZodError) {
    // Of several things wrong with a field the first is the one to say: an empty one is missing, not too short.
    const fields = Object.fromEntries(error.issues.toReversed().map((issue) => [issue.path.join('.'), issue.message]));
    return invalidInput('The request is not as it should be.', fields);
  }
  if (error instanceof ProviderUnavailable || error instanceof ProviderRefused) {
    return new Refusal(502, 'provider-unavailable', 'The bank or payment service cannot be reached just now.');
  }
  if (isDatabaseAway(error)) return unavailable();
  const { statusCode, message, code } = error as FastifyError;
  if (code === 'FST_ERR_BAD_URL') return invalidInput('That is no address.'); // its own words repeat it, and go into the log
  if (statusCode === 503) return unavailable(); // the handler took too long
  if (statusCode && statusCode >= 400 && statusCode < 500) return new Refusal(statusCode, 'invalid-input', message);
  return new Refusal(500, 'unexpected', 'Something unexpected happened.');
}

/** What a refusal looks like on the wire, wherever in the server it happens. */
export const errorBody = ({ code, message, details: { fields } }: Refusal, requestId: string): ErrorBody => ({
  error: { code, message, requestId, ...(fields ? { fields } : {}) },
});

/** Answers what was thrown with a status and a body: the only place that does. */
export function answerError(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const refusal = isBrokenOff(error, request)
    ? new Refusal(400, 'invalid-input', 'The request was broken off.')
    : refusalOf(error);
  const { retryAfterSeconds } = refusal.details;
  if (refusal.status >= 500) request.log.error({ requestId: request.id, err: error }, 'request failed');
  else request.log.info({ requestId: request.id, code: refusal.code, cause: refusal.message }, 'request refused');
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
  return reply.status(refusal.status).header('cache-control', 'no-store').send(errorBody(refusal, request.id));
}

export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => answerError(request, reply, error));
}
