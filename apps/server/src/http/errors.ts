import type { ErrorBody, ErrorCode } from '@sparechange/contract';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ZodError } from 'zod';
import { ProviderRefused, ProviderUnavailable } from '#ports/errors.ts';

/** A refusal the caller may know about. `message` is safe to show. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly status: number;
  readonly code: ErrorCode;
  readonly fields: Record<string, string> | undefined;
  constructor(status: number, code: ErrorCode, message: string, fields?: Record<string, string>) {
    super(message);
    this.status = status;
    this.code = code;
    this.fields = fields;
  }
}

export const unknownTenant = () => new Refusal(401, 'unknown-tenant', 'The apikey and tenant headers are not known.');
export const signedOut = () => new Refusal(401, 'signed-out', 'Please sign in again.');
export const notAllowed = () => new Refusal(403, 'not-allowed', 'That is not yours.');
export const notFound = (what: string) => new Refusal(404, 'not-found', `${what} was not found.`);
export const conflict = (message: string) => new Refusal(409, 'conflict', message);
export const invalidInput = (message: string, fields?: Record<string, string>) =>
  new Refusal(400, 'invalid-input', message, fields);

function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error;
  if (error instanceof ZodError) {
    // Of several things wrong with a field the first is the one to say: an empty one is missing, not too short.
    const fields = Object.fromEntries(error.issues.toReversed().map((issue) => [issue.path.join('.'), issue.message]));
    return invalidInput('The request is not as it should be.', fields);
  }
  if (error instanceof ProviderUnavailable || error instanceof ProviderRefused) {
    return new Refusal(502, 'provider-unavailable', 'The bank or payment service cannot be reached just now.');
  }
  const { statusCode, message } = error as FastifyError;
  if (statusCode === 429) return new Refusal(429, 'too-many-requests', 'Too many requests; please wait a little.');
  if (statusCode && statusCode >= 400 && statusCode < 500) return new Refusal(statusCode, 'invalid-input', message);
  return undefined;
}

/** Turns what was thrown into a status and a body: the only place that does. */
export function answerErrors(app: FastifyInstance): void {
  const answer = (request: FastifyRequest, reply: FastifyReply, error: unknown) => {
    const refusal = refusalOf(error) ?? new Refusal(500, 'unexpected', 'Something unexpected happened.');
    if (refusal.status >= 500) request.log.error({ err: error }, 'request failed');
    else request.log.info({ code: refusal.code, cause: refusal.message }, 'request refused');
    const body: ErrorBody = {
      error: {
        code: refusal.code,
        message: refusal.message,
        requestId: request.id,
        ...(refusal.fields ? { fields: refusal.fields } : {}),
      },
    };
    return reply.status(refusal.status).header('cache-control', 'no-store').send(body);
  };
  app.setErrorHandler((error, request, reply) => answer(request, reply, error));
}
