import type { FastifyInstance } from 'fastify';
import type { World } from '#world/world.ts';
import { accountRoutes } from './account.ts';
import { agreementRoutes } from './agreements.ts';
import { ZeptoProblem } from './answers.ts';
import { contactRoutes } from './contacts.ts';
import { floatEntryRoutes } from './float-entries.ts';
import { paymentRequestRoutes } from './payment-requests.ts';
import { payoutRoutes } from './payouts.ts';
import { transactionRoutes } from './transactions.ts';

const groups = [
  accountRoutes,
  agreementRoutes,
  contactRoutes,
  floatEntryRoutes,
  paymentRequestRoutes,
  payoutRoutes,
  transactionRoutes,
];

/** Zepto's API as needed for debits and deposits. */
export async function zeptoRoutes(app: FastifyInstance, world: World, token: string): Promise<void> {
  app.setErrorHandler((cause, _request, reply) => {
    if (cause instanceof ZeptoProblem) return reply.status(cause.status).send(cause.body);
    const status = cause instanceof Error && 'statusCode' in cause ? Number(cause.statusCode) : 500;
    if (status >= 500) console.error(cause);
    const errors = cause instanceof Error && status < 500 ? cause.message : 'Internal server error';
    return reply.status(status).send({ errors });
  });
  app.setNotFoundHandler((_request, reply) => reply.status(404).send({ errors: 'Not found' }));
  app.addHook('onRequest', async (request) => {
    if (request.headers.authorization !== `Bearer ${token}`) {
      throw new ZeptoProblem(401, 'You are not authorised to access this resource.');
    }
  });
  for (const addRoutes of groups) addRoutes(app, world);
}
