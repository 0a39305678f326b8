import type { FastifyInstance, FastifyReply } from 'fastify';
import type { World } from '#world/world.ts';
import { requireServerToken } from './access.ts';
import { connectionRoutes } from './connection-routes.ts';
import { consentRoutes } from './consent-routes.ts';
import { dataRoutes } from './data-routes.ts';
import { eventRoutes } from './event-routes.ts';
import { jobRoutes } from './job-routes.ts';
import { BasiqProblem, envelope, notFound, problemOfStatus } from './problem.ts';
import { tokenRoutes } from './token-routes.ts';
import { userRoutes } from './user-routes.ts';
import { webhookRoutes } from './webhook-routes.ts';

/** Basiq's API v3 as a round-up product sees it. */
export async function basiqRoutes(app: FastifyInstance, world: World, apiKey: string): Promise<void> {
  const refuse = (reply: FastifyReply, problem: BasiqProblem) => reply.status(problem.status).send(envelope(problem));

  app.setErrorHandler((cause, _request, reply) => {
    if (cause instanceof BasiqProblem) return refuse(reply, cause);
    const status = cause instanceof Error && 'statusCode' in cause ? Number(cause.statusCode) : 500;
    if (status >= 500) console.error(cause);
    const message = cause instanceof Error ? cause.message : 'The request could not be read.';
    return refuse(
      reply,
      status < 500 ? new BasiqProblem(status, 'invalid-content', 'Invalid content.', message) : problemOfStatus(500),
    );
  });
  app.setNotFoundHandler((_request, reply) => refuse(reply, notFound('Requested resource does not exist.')));

  tokenRoutes(app, world, apiKey);
  await app.register(async (api) => {
    api.addHook('onRequest', async (request) => requireServerToken(world, request));
    for (const routes of [
      userRoutes,
      consentRoutes,
      jobRoutes,
      connectionRoutes,
      dataRoutes,
      eventRoutes,
      webhookRoutes,
    ]) {
      routes(api, world);
    }
  });
}
