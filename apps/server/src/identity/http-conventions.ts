import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { invalidArgument, Refused } from './refusal.ts';

/** Room for a password of 4096 characters, each escaped. */
const bodyLimit = 32 * 1024;

function parseBody(contentType: string | undefined, text: string): unknown {
  if (contentType?.startsWith('application/x-www-form-urlencoded'))
    return Object.fromEntries(new URLSearchParams(text));
  if (text === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    throw invalidArgument('Invalid JSON payload received. Unexpected token.');
  }
}

/** Reads JSON and forms under any content type, within `bodyLimit`. */
export function readAnyBody(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit }, async (request: FastifyRequest, body: string) =>
    parseBody(request.headers['content-type'], body),
  );
}

/** Refuses a call without the project's key, before its body is read. The key is no secret: it says which project is meant. */
export function refuseWithoutKey(scope: FastifyInstance, apiKey: string): void {
  scope.addHook<{ Querystring: { key?: unknown } }>('onRequest', async (request) => {
    if (request.method === 'OPTIONS') return;
    const key = request.query.key ?? request.headers['x-goog-api-key'];
    if (key === undefined || key === '') {
      throw new Refused('The request is missing a valid API key.', 403, 'PERMISSION_DENIED');
    }
    if (key !== apiKey) throw invalidArgument('API key not valid. Please pass a valid API key.');
  });
}

const sdkHeaders = [
  'authorization',
  'content-type',
  'x-client-version',
  'x-firebase-appcheck',
  'x-firebase-client',
  'x-firebase-gmpid',
  'x-firebase-locale',
  'x-goog-api-key',
].join(', ');

/**
 * Lets pages of any origin call (CORS), as Google does, and keeps answers out of caches. No cookie is involved: callers
 * must bring the token or password along.
 */
export function allowAnyOrigin(scope: FastifyInstance): void {
  scope.addHook('onRequest', async (_request, reply) => {
    reply
      .header('access-control-allow-origin', '*')
      .header('cache-control', 'no-store')
      .header('x-content-type-options', 'nosniff');
  });
  scope.options('/*', async (_request, reply) =>
    reply
      .status(204)
      .header('access-control-allow-methods', 'GET, POST, OPTIONS')
      .header('access-control-allow-headers', sdkHeaders)
      .header('access-control-max-age', '3600')
      .send(),
  );
}

function sendRefusal(reply: FastifyReply, { httpStatus, message, status }: Refused): FastifyReply {
  const reason = status ? 'badRequest' : 'invalid';
  const errors = [{ message, domain: 'global', reason }];
  return reply.status(httpStatus).send({ error: { code: httpStatus, message, errors, ...(status ? { status } : {}) } });
}

/**
 * Answers every failure of the routes in `scope` in Google's shape, never as HTML.
 *
 * A failure that is no fault of the request (ours, or too many calls from its network) has no `error.message`, on purpose: the
 * SDK takes that for a network failure and keeps the stored user, where any message would sign people out at start-up
 * because our database was unavailable for a moment.
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
