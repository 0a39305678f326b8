import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { armReturn } from '#debits/armed-returns.ts';
import { returnCodes } from '#debits/failures.ts';
import { returnNow } from '#debits/life-cycle.ts';
import { Options, readOptions, saveOptions } from '#debits/options.ts';
import { listDebits, listDeposits } from '#debits/overview.ts';
import type { World } from '#world/world.ts';
import { ControlProblem } from './problem.ts';

const Return = z.object({
  email: z.string().optional(),
  contactId: z.string().optional(),
  ref: z.string().optional().describe('this payment request, now'),
  code: z.literal(returnCodes),
  of: z.enum(['debit', 'deposit']).default('debit'),
  late: z.boolean().default(false).describe('first clears, and comes back the banking day after'),
});

export function debitRoutes(app: FastifyInstance, world: World): void {
  const { db, clock } = world;

  app.post('/returns', async ({ body }) => {
    const { email, contactId, ref, code, of: kind, late } = Return.parse(body);
    if (ref !== undefined) db.atomically(() => returnNow(world, ref, code, clock.now()));
    else {
      const payer = contactId ?? email;
      if (payer === undefined)
        throw new ControlProblem(400, 'Name the payer by email or contactId, or the debit by ref.');
      armReturn(db, payer, kind, code, late);
    }
    return { armed: ref === undefined, code };
  });

  app.get<{ Querystring: { email?: string } }>('/payments', async ({ query }) => listDebits(db, query.email));

  app.get<{ Querystring: { email?: string } }>('/payouts', async ({ query }) => listDeposits(db, query.email));

  app.get('/options', async () => readOptions(db));

  app.post('/options', async ({ body }) => {
    const given = Options.partial().parse(body);
    const change = Object.fromEntries(Object.entries(given).filter(([name]) => name in Object(body)));
    return saveOptions(db, change);
  });
}
