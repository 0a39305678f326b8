import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify';
import type { Pool } from '#db/connect.ts';
import { accountRoutes } from '#features/accounts/routes.ts';
import { clubRoutes } from '#features/clubs/routes.ts';
import { consentRoutes } from '#features/consent/routes.ts';
import { donationRoutes } from '#features/donations/routes.ts';
import { historyRoutes } from '#features/history/routes.ts';
import { identityRoutes } from '#features/identity/routes.ts';
import { onboardingRoutes } from '#features/onboarding/routes.ts';
import { webhookRoutes } from '#features/operation/webhook-routes.ts';
import { roundUpRoutes } from '#features/roundups/routes.ts';
import { savingsRoutes } from '#features/savings/routes.ts';
import type { Tenants } from '#features/tenants/load-tenants.ts';
import type { VerifyIdToken } from '#http/caller.ts';
import { answerErrors } from '#http/errors.ts';
import { doorkeeper } from '#http/serve.ts';
import type { BankLink } from '#ports/bank-link.ts';
import type { Clock } from '#ports/clock.ts';
import type { DirectDebit } from '#ports/direct-debit.ts';
import type { Seal } from '#secrets/seal.ts';

/** What the worker does soon for a request that does not wait for it. */
export interface Soon {
  syncSupporter(supporterId: string): Promise<void>;
  submitDebits(): Promise<void>;
  handleNotifications(): Promise<void>;
}

export interface AppDeps {
  db: Pool;
  clock: Clock;
  bankLink: BankLink;
  directDebit: DirectDebit;
  seal: Seal;
  tenants: Tenants;
  verifyIdToken: VerifyIdToken;
  soon: Soon;
  productUrl: string;
}

/** The API alone: reads no environment and does not listen. */
export function buildApp(deps: AppDeps, options: FastifyServerOptions = {}): FastifyInstance {
  const app = Fastify({
    bodyLimit: 64 * 1024,
    requestTimeout: 30_000,
    routerOptions: { ignoreTrailingSlash: true },
    ...options,
  });
  answerErrors(app);
  const serve = doorkeeper(app, deps);
  const { db, clock, tenants, soon } = deps;
  identityRoutes(serve, deps);
  clubRoutes(serve, deps);
  onboardingRoutes(serve, { db, clock, syncSoon: soon.syncSupporter });
  consentRoutes(serve, deps);
  accountRoutes(serve, deps);
  roundUpRoutes(serve, deps);
  savingsRoutes(serve, deps);
  donationRoutes(serve, { db, clock, tenants, submitSoon: soon.submitDebits });
  historyRoutes(serve, deps);
  webhookRoutes(app, { ...deps, handleSoon: soon.handleNotifications });
  app.get('/healthz', async () => ({ status: 'alive' }));
  app.get('/readyz', async (_request, reply) => {
    const ready = await db`select 1`.then(
      () => true,
      () => false,
    );
    return reply.status(ready ? 200 : 503).send({ status: ready ? 'ready' : 'the database does not answer' });
  });
  return app;
}
