import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { sydneyDate, sydneyInstant } from '#world/days.ts';
import type { World } from '#world/world.ts';
import { Amount, Description, Instant, OwnMetadata, parse } from './body.ts';
import { Metadata } from './contacts.ts';
import { once } from './idempotency.ts';
import { merchant } from './merchant.ts';
import { notify } from './notices.ts';
import { pageOf, sendPage } from './pages.ts';
import { addPayout, channelNames, findPayout, listPayouts, presentPayout, schedulePayout } from './payouts.ts';
import { badRequest, notFound } from './problem.ts';

interface Path {
  Params: { ref: string };
  Querystring: Record<string, unknown>;
}

const channelsError = 'must be one of: new_payments_platform, direct_entry';

const NewPayment = z.object({
  description: Description,
  matures_at: Instant,
  your_bank_account_id: z.string().optional(),
  channels: z.array(z.enum(channelNames, { error: channelsError })).min(1, { error: channelsError }),
  payouts: z
    .array(
      z.object({
        amount: Amount,
        description: Description,
        recipient_contact_id: z.string(),
        metadata: Metadata.default({}),
      }),
    )
    .length(1, { error: 'must contain exactly one payout' }),
  metadata: OwnMetadata,
});

export function payoutRoutes(app: FastifyInstance, world: World): void {
  const { db, clock, agenda, origin } = world;

  app.post('/payments', async ({ headers, body }, reply) => {
    const now = clock.now();
    const payout = once(db, headers['idempotency-key'], now, (key) => {
      const wanted = parse(NewPayment, body, 400);
      const { description, channels, metadata, matures_at: maturesAt } = wanted;
      if (maturesAt < sydneyInstant(sydneyDate(now))) throw badRequest('Matures at must not be in the past');
      const [only] = wanted.payouts;
      if (only === undefined) throw badRequest('Payouts must contain exactly one payout');
      if (wanted.your_bank_account_id !== undefined && wanted.your_bank_account_id !== merchant.bankAccountId) {
        throw badRequest('Your bank account not found');
      }
      const { recipient_contact_id: contactId, ...rest } = only;
      const made = addPayout(
        world,
        { description, maturesAt, channels, metadata, payout: { ...rest, contactId } },
        key,
        now,
      );
      schedulePayout(world, made);
      notify(world, 'debit.scheduled', [made.debitRef], now);
      return { ref: made.ref, made };
    });
    await agenda.settle();
    return reply.status(201).send({ data: presentPayout(db, payout) });
  });

  app.get<Path>('/payments', async (request, reply) => {
    const page = pageOf(request);
    return sendPage(reply, origin, listPayouts(db, page.limit + 1, page.offset), page, (payout) =>
      presentPayout(db, payout),
    );
  });

  app.get<Path>('/payments/:ref', async ({ params }) => {
    const payout = findPayout(db, params.ref);
    if (payout === undefined) throw notFound('Payment');
    return { data: presentPayout(db, payout) };
  });
}
