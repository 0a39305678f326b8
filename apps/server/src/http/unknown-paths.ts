import { operations } from '@sparechange/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { NotFound, type Refusal } from '#errors.ts';
import { HttpRefusal } from './errors.ts';

const methodsByPath = new Map<string, string[]>();
for (const { method, path } of operations) {
  methodsByPath.set(`/api${path}`, [...(methodsByPath.get(`/api${path}`) ?? []), method]);
}

/** Returns 405 for another method of an operation, else 404. */
function refusalOf(request: FastifyRequest, reply: FastifyReply): Refusal {
  const path = (request.url.split('?')[0] ?? '').replace(/\/$/, '');
  const methods = methodsByPath.get(path);
  if (!methods) return new NotFound('That address');
  reply.header('allow', methods.join(', '));
  return new HttpRefusal('invalid-input', `That address takes ${methods.join(' or ')} only.`, 405);
}

/** Answers what no route takes, before its body is read, and what a route gives up (`callNotFound`). */
export function answerUnknownPaths(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => (request.is404 ? done(refusalOf(request, reply)) : done()));
  app.setNotFoundHandler((request, reply) => {
    throw refusalOf(request, reply);
  });
}
