import type { ErrorBody, ErrorCode } from '@sparechange/contract';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ZodError } from 'zod';
import { isDatabaseUnavailable } from '#db/database-answers.ts';
import { InvalidInput, Refusal, Unavailable } from '#errors.ts';
import { holdsMailAddress } from '#mail-address-in-text.ts';
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

export const statusOf = (refusal: Refusal): number =>
  refusal instanceof HttpRefusal ? refusal.statusCode : statuses[refusal.code];

/** Returns whether the caller broke off sending: nothing failed here. */
const isBrokenOff = (error: unknown, { raw }: FastifyRequest): boolean =>
  raw.complete === false && (error as NodeJS.ErrnoException).code === 'ECONNRESET';

/** Forms have fewer fields, and shorter ones; a list may have a fault in every entry. */
const maxFields = 50;
const maxFieldName = 100;
const maxFieldMessage = 200;

/** Returns what an error is answered as. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof ZodError) {
    // Of several things wrong with a field the first is the one to say: an empty one is missing, not too short.
    const named = error.issues.slice(0, maxFields).toReversed();
    const fields = Object.fromEntries(
      named.map(({ path, message }) => [path.join('.').slice(0, maxFieldName), message.slice(0, maxFieldMessage)]),
    );
    return new InvalidInput('The request is not valid.', fields);
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

export const errorBody = ({ code, message, fields }: Refusal, requestId: string): ErrorBody => ({
  error: { code, message, requestId, ...(fields ? { fields } : {}) },
});

/** Hides whose address a refusal is about: none is logged. */
const withoutAddresses = (text: string): string =>
  text.replace(/\S+/g, (word) => (holdsMailAddress(word) ? '(address)' : word));

/** Answers errors with a status and body; nothing else does. */
export function answerError(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const refusal = isBrokenOff(error, request)
    ? new HttpRefusal('invalid-input', 'The request was broken off.')
    : refusalOf(error);
  const status = statusOf(refusal);
  const retryAfterSeconds = refusal instanceof HttpRefusal ? refusal.retryAfterSeconds : retryAfterOf(refusal);
  const refused = { requestId: request.id, code: refusal.code, cause: withoutAddresses(refusal.message) };
  if (status < 500) request.log.info(refused, 'request refused');
  else if (error instanceof Unavailable)
    request.log.warn(refused, 'request refused'); // nothing is broken, and a crowd would fill the log with stacks
  else request.log.error({ requestId: request.id, err: error }, 'request failed');
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
  return reply.status(status).header('cache-control', 'no-store').send(errorBody(refusal, request.id));
}

export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => answerError(request, reply, error));
}
