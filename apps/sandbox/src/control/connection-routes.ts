import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { listLiveConnections, listSharedAccounts, stopSharing } from '#bank/basiq/connections.ts';
import { invalidateConnection } from '#bank/basiq/consents.ts';
import { JobPlan, planNextJob } from '#bank/basiq/job-plans.ts';
import { getUser } from '#bank/basiq/users.ts';
import { authorise } from '#bank/consent/authorise.ts';
import { startVisit } from '#bank/consent/visits.ts';
import { banks } from '#bank/statements/banks.ts';
import { customerOf, isCrn } from '#bank/statements/customers.ts';
import type { World } from '#world/world.ts';
import { ControlProblem } from './problem.ts';

const Connection = z.object({
  userId: z.string(),
  crn: z.string().refine(isCrn, { error: 'has 8 digits' }),
  institution: z.enum(banks.map(({ id }) => id)).default(banks[0].id),
});

/** A customer who goes through the consent pages in one step and shares every account, for seeds and tests. */
export function connectionRoutes(app: FastifyInstance, world: World): void {
  const { db, clock } = world;
  app.post('/jobs', async ({ body }, reply) => {
    const { userId, ...plan } = JobPlan.extend({ userId: z.string() }).parse(body);
    planNextJob(db, getUser(db, userId).id, plan);
    return reply.status(201).send(plan);
  });

  /** Ends a bank's permission early for all a user's connections. */
  app.post('/connections/invalid', async ({ body }) => {
    const { userId } = z.object({ userId: z.string() }).parse(body);
    const active = listLiveConnections(db, getUser(db, userId).id).filter(({ status }) => status === 'active');
    db.atomically(() => {
      for (const connection of active) invalidateConnection(world, connection, clock.now());
    });
    return { connections: active.length };
  });

  /** An account is closed, or no longer shared: it is gone from the lists with all that was on it. */
  app.post('/accounts/gone', async ({ body }) => {
    const { userId, accountId } = z.object({ userId: z.string(), accountId: z.string() }).parse(body);
    const shared = listSharedAccounts(db, getUser(db, userId).id).find(({ id }) => id === accountId);
    if (shared === undefined) throw new ControlProblem(404, 'This user shares no such account.');
    stopSharing(db, shared);
    return { accountId };
  });

  app.post('/connections', async ({ body }, reply) => {
    const { userId, crn, institution } = Connection.parse(body);
    const user = getUser(db, userId);
    const customer = customerOf(institution, crn);
    const visit = db.atomically(() => {
      const started = startVisit(
        db,
        { userId: user.id, action: 'first', state: null, step: 'accounts', institution },
        clock.now(),
      );
      const positions = customer.accounts.map(({ position }) => position);
      return authorise(world, { ...started, crn }, customer, positions);
    });
    return reply.status(201).send({ jobId: visit.jobIds.at(-1) });
  });
}
