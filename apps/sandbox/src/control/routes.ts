import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { BasiqProblem } from '#bank/basiq/answers.ts';
import { ZeptoProblem } from '#debits/answers.ts';
import { messages } from '#webhooks/messages.ts';
import { tables } from '#world/schema.ts';
import { moveClock, type World } from '#world/world.ts';
import { bankRoutes } from './bank-routes.ts';
import { debitRoutes } from './debit-routes.ts';
import { Fault, type Faults } from './faults.ts';
import { ControlProblem } from './problem.ts';

const ClockSetting = z.union([
  z.object({ offsetMs: z.number() }).strict(),
  z.object({ now: z.iso.datetime({ offset: true }) }).strict(),
]);

interface Parts {
  world: World;
  faults: Faults;
  subscribe: () => void;
}

/** Routes for tests alone: time, faults and internal state. */
export async function controlRoutes(app: FastifyInstance, { world, faults, subscribe }: Parts): Promise<void> {
  const { db, clock, scheduler } = world;

  app.setErrorHandler((cause, _request, reply) => {
    if (cause instanceof z.ZodError) return reply.status(400).send({ error: z.prettifyError(cause) });
    const isRefusal = cause instanceof ControlProblem || cause instanceof BasiqProblem || cause instanceof ZeptoProblem;
    if (isRefusal) return reply.status(cause.status).send({ error: cause.message });
    console.error(cause);
    return reply.status(500).send({ error: cause instanceof Error ? cause.message : 'Something went wrong.' });
  });

  bankRoutes(app, world);
  debitRoutes(app, world);

  const readClock = () => ({ now: new Date(clock.now()).toISOString(), offsetMs: clock.offsetMs() });

  app.get('/clock', async () => readClock());

  app.post('/clock', async ({ body }) => {
    const setting = ClockSetting.parse(body);
    await moveClock(world, 'now' in setting ? { now: new Date(setting.now) } : setting);
    return readClock();
  });

  app.get('/faults', async () => faults.list());

  app.post('/faults', async ({ body }, reply) => reply.status(201).send(faults.add(Fault.parse(body))));

  app.delete<{ Querystring: { id?: string } }>('/faults', async ({ query }, reply) => {
    faults.remove(query.id === undefined ? 'all' : Number(query.id));
    return reply.status(204).send();
  });

  app.get('/webhooks', async () =>
    messages
      .select(db, 'order by number desc limit 1000')
      .map(({ body, number: _number, ...message }) => ({ ...message, body: JSON.parse(body) })),
  );

  app.post('/reset', async () => {
    await scheduler.runDue();
    db.atomically(() => {
      for (const name of tables) db.run(`delete from ${name}`);
    });
    scheduler.reload();
    faults.remove('all');
    await moveClock(world, { offsetMs: 0 });
    subscribe();
    return { reset: true };
  });
}
