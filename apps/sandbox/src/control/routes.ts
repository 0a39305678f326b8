import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { BasiqProblem } from '#bank/basiq/problem.ts';
import { ZeptoProblem } from '#debits/problem.ts';
import { listLatestMessages } from '#webhooks/messages.ts';
import { tables } from '#world/schema.ts';
import type { World } from '#world/world.ts';
import { bankRoutes } from './bank-routes.ts';
import { connectionRoutes } from './connection-routes.ts';
import { debitRoutes } from './debit-routes.ts';
import { Fault, type Faults } from './faults.ts';
import { ControlProblem } from './problem.ts';
import type { SandboxClock } from './sandbox-clock.ts';
import { timeRoutes } from './time-routes.ts';

interface Parts {
  world: World;
  clock: SandboxClock;
  faults: Faults;
  subscribe: () => void;
}

/** Routes for tests alone: time, faults and internal state. */
export async function controlRoutes(app: FastifyInstance, { world, clock, faults, subscribe }: Parts): Promise<void> {
  const { db, agenda, outbox } = world;

  app.setErrorHandler((cause, _request, reply) => {
    if (cause instanceof z.ZodError) return reply.status(400).send({ error: z.prettifyError(cause) });
    const isRefusal = cause instanceof ControlProblem || cause instanceof BasiqProblem || cause instanceof ZeptoProblem;
    if (isRefusal) return reply.status(cause.status).send({ error: cause.message });
    console.error(cause);
    return reply.status(500).send({ error: cause instanceof Error ? cause.message : 'Something went wrong.' });
  });

  timeRoutes(app, clock);
  bankRoutes(app, world);
  connectionRoutes(app, world);
  debitRoutes(app, world);

  app.get('/faults', async () => faults.list());

  app.post('/faults', async ({ body }, reply) => reply.status(201).send(faults.add(Fault.parse(body))));

  app.delete<{ Querystring: { id?: string } }>('/faults', async ({ query }, reply) => {
    faults.remove(query.id === undefined ? 'all' : Number(query.id));
    return reply.status(204).send();
  });

  app.get('/webhooks', async () =>
    listLatestMessages(db, 1_000).map(({ body, number: _number, ...message }) => ({
      ...message,
      body: JSON.parse(body),
    })),
  );

  app.post('/reset', async () => {
    await agenda.settle();
    db.atomically(() => {
      for (const table of tables) db.run(`delete from ${table}`);
    });
    agenda.forget();
    faults.forget();
    outbox.forgetSubscriptions();
    await clock.set({ offsetMs: 0 });
    subscribe();
    return { reset: true };
  });
}
