import { operations } from '@sparechange/contract';
import type { FastifyInstance } from 'fastify';
import { notFound, Refusal } from './errors.ts';

const methodsByPath = new Map<string, string[]>();
for (const { method, path } of operations) {
  methodsByPath.set(`/api${path}`, [...(methodsByPath.get(`/api${path}`) ?? []), method]);
}

/** Answers what no route takes: 405 for another method of an operation's path, 404 for the rest. */
export function answerUnknownPaths(app: FastifyInstance): void {
  app.setNotFoundHandler((request, reply) => {
    const path = (request.url.split('?')[0] ?? '').replace(/\/$/, '');
    const methods = methodsByPath.get(path);
    if (!methods) throw notFound('That address');
    reply.header('allow', methods.join(', '));
    throw new Refusal(405, 'invalid-input', `That address takes ${methods.join(' or ')} only.`);
  });
}
