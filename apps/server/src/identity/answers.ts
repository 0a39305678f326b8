import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import { Refused } from './refusal.ts';

function sendRefusal(reply: FastifyReply, { httpStatus, message, status }: Refused): FastifyReply {
  const reason = status ? 'badRequest' : 'invalid';
  const errors = [{ message, domain: 'global', reason }];
  return reply.status(httpStatus).send({ error: { code: httpStatus, message, errors, ...(status ? { status } : {}) } });
}

/**
 * Answers every failure of the routes in `scope` in Google's shape, never as HTML.
 *
 * What is no fault of a request's own (ours, or too many calls from its network) has no `error.message`, on purpose: the
 * SDK takes that for a network failure and keeps the stored user, where any message would sign people out at start-up
 * because our database was away for a moment.
 */
export function answerInGooglesShape(scope: FastifyInstance): void {
  scope.setErrorHandler<FastifyError>((error, request, reply) => {
    if (error instanceof Refused) return sendRefusal(reply, error);
    const { statusCode } = error;
    if (statusCode === 429) {
      return reply.status(429).send({ error: { code: 429, status: 'RESOURCE_EXHAUSTED', errors: [] } });
    }
    if (statusCode && statusCode >= 400 && statusCode < 500) {
      return sendRefusal(reply, new Refused(error.message, statusCode, 'INVALID_ARGUMENT'));
    }
    request.log.error({ err: error }, 'the identity service failed');
    return reply.status(503).send({ error: { code: 503, status: 'UNAVAILABLE', errors: [] } });
  });
}

/** The 404 for unknown paths under our prefixes. */
export const noSuchPath = (): Refused => new Refused('Not Found', 404, 'NOT_FOUND');
