import { operations } from '@sparechange/contract';
import { programOperations } from '@sparechange/contract/programs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { NotFound, type Refusal } from '#errors.ts';
import { HttpRefusal } from './errors.ts';

const known = [...operations, ...Object.values(programOperations)].map(({ method, path }) => ({
  method,
  path: new RegExp(`^/api${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));

/** Returns 405 for another method of an operation, else 404. */
function refusalOf(request: FastifyRequest, reply: FastifyReply): Refusal {
  const asked = (request.url.split('?')[0] ?? '').replace(/\/$/, '');
  const methods = known.filter(({ path }) => path.test(asked)).map(({ method }) => method);
  if (methods.length === 0) return new NotFound('That address');
  reply.header('allow', methods.join(', '));
  return new HttpRefusal('invalid-input', `That address takes ${methods.join(' or ')} only.`, 405);
}

/**
 * Answers requests that no route takes, before their body is read, and those that a route gives up (`callNotFound`).
 */
export function answerUnknownPaths(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => (request.is404 ? done(refusalOf(request, reply)) : done()));
  app.setNotFoundHandler((request, reply) => {
    throw refusalOf(request, reply);
  });
}
