import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { forceReturn, Options, readOptions, saveOptions } from '#debits/account.ts';
import { cancelAgreementsOf } from '#debits/agreements.ts';
import { returnNow } from '#debits/debit-lifecycle.ts';
import { addAdjustment } from '#debits/float-movements.ts';
import { listDebits, listPayouts } from '#debits/overview.ts';
import { returnCodes } from '#debits/transactions.ts';
import { asCamt053, asCsv, trustStatement } from '#debits/trust-statement.ts';
import { addDays, sydneyDate } from '#world/days.ts';
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

const Statement = z.object({
  from: z.iso.date().optional().describe('the first day, the beginning by default'),
  to: z.iso.date().optional().describe('the last day, yesterday by default'),
  format: z.enum(['csv', 'camt053']).default('camt053'),
});

const Adjustment = z.object({
  cents: z.int().describe('negative where money leaves'),
  description: z.string().min(1).max(280),
});

export function debitRoutes(app: FastifyInstance, world: World): void {
  const { db, clock } = world;

  app.post('/returns', async ({ body }) => {
    const { email, contactId, ref, code, of: kind, late } = Return.parse(body);
    if (ref !== undefined) db.atomically(() => returnNow(world, ref, code));
    else {
      const payer = contactId ?? email;
      if (payer === undefined)
        throw new ControlProblem(400, 'Name the payer by email or contactId, or the debit by ref.');
      forceReturn(db, payer, kind, code, late);
    }
    return { armed: ref === undefined, code };
  });

  /** Cancels an agreement at the payer's bank, notifying the merchant. */
  app.post('/agreements/cancel', async ({ body }) => {
    const { email } = z.object({ email: z.string() }).parse(body);
    return { cancelled: db.atomically(() => cancelAgreementsOf(world, email)) };
  });

  app.get<{ Querystring: { email?: string } }>('/payments', async ({ query }) => listDebits(db, query.email));

  app.get<{ Querystring: { email?: string } }>('/payouts', async ({ query }) => listPayouts(db, query.email));

  app.post('/bank-statement', async ({ body }) => {
    const yesterday = addDays(sydneyDate(clock.now()), -1);
    const { from, to = yesterday, format } = Statement.parse(body ?? {});
    if (to > yesterday)
      throw new ControlProblem(400, `A day is on a statement once it has ended; the last is ${yesterday}.`);
    const statement = trustStatement(db, from ?? '2000-01-01', to);
    const content = format === 'csv' ? asCsv(statement) : asCamt053(statement);
    return { lines: statement.lines.length, closingCents: statement.closingCents, content };
  });

  /** Books an amount on the float that belongs to no payment. */
  app.post('/float-adjustments', async ({ body }) => addAdjustment(db, { at: clock.now(), ...Adjustment.parse(body) }));

  app.get('/options', async () => readOptions(db));

  app.post('/options', async ({ body }) => {
    const given = Options.partial().parse(body);
    const change = Object.fromEntries(Object.entries(given).filter(([name]) => name in Object(body)));
    return saveOptions(db, change);
  });
}
