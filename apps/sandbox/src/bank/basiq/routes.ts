import type { FastifyInstance, FastifyReply } from 'fastify';
import type { World } from '#world/world.ts';
import { dataRoutes } from './accounts.ts';
import { BasiqProblem, envelope, notFound, problemOfStatus } from './answers.ts';
import { connectionRoutes } from './connection-routes.ts';
import { consentRoutes } from './consents.ts';
import { eventRoutes } from './events.ts';
import { jobRoutes } from './jobs.ts';
import { requireServerToken, tokenRoutes } from './tokens.ts';
import { userRoutes } from './users.ts';
import { webhookRoutes } from './webhook-routes.ts';

const groups = [userRoutes, consentRoutes, jobRoutes, connectionRoutes, dataRoutes, eventRoutes, webhookRoutes];

/** Basiq's API v3 as a round-up product sees it. */
export async function basiqRoutes(app: FastifyInstance, world: World, apiKey: string): Promise<void> {
  const refuse = (reply: FastifyReply, problem: BasiqProblem) => reply.status(problem.status).send(envelope(problem));

  app.setErrorHandler((cause, _request, reply) => {
    if (cause instanceof BasiqProblem) return refuse(reply, cause);
    const status = cause instanceof Error && 'statusCode' in cause ? Number(cause.statusCode) : 500;
    if (cause instanceof Error && status < 500) {
      return refuse(reply, new BasiqProblem(status, 'invalid-content', 'Invalid content.', cause.message));
    }
    console.error(cause);
    return refuse(reply, problemOfStatus(500));
  });
  app.setNotFoundHandler((_request, reply) => refuse(reply, notFound('resource')));

  tokenRoutes(app, world, apiKey);
  await app.register(async (api) => {
    api.addHook('onRequest', async (request) => requireServerToken(world, request));
    for (const addRoutes of groups) addRoutes(api, world);
  });
}
