import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { World } from '#world/world.ts';
import { Amount, Description, Instant, OwnMetadata, parse } from './body.ts';
import { once } from './idempotency.ts';
import { merchant } from './merchant.ts';
import { notify, publish } from './notices.ts';
import { pageOf, sendPage } from './pages.ts';
import {
  addPaymentRequest,
  findPaymentRequest,
  listPaymentRequests,
  type PaymentRequest,
  presentPaymentRequest,
} from './payment-requests.ts';
import { scheduleDebit, withdraw } from './payment-states.ts';
import { notFound, unprocessable } from './problem.ts';
import { getTransaction } from './transactions.ts';

interface Path {
  Params: { ref: string };
  Querystring: Record<string, unknown>;
}

const NewRequest = z.object({
  description: Description,
  matures_at: Instant,
  amount: Amount,
  authoriser_contact_id: z.string(),
  your_bank_account_id: z.string().optional(),
  metadata: OwnMetadata,
});

const presentWhole = (request: PaymentRequest) => ({ ...presentPaymentRequest(request), metadata: request.metadata });

export function paymentRequestRoutes(app: FastifyInstance, world: World): void {
  const { db, clock, agenda, origin } = world;

  app.post('/payment_requests', async ({ headers, body }) => {
    const now = clock.now();
    const request = once(db, headers['idempotency-key'], now, (key) => {
      const wanted = parse(NewRequest, body);
      if (wanted.your_bank_account_id !== undefined && wanted.your_bank_account_id !== merchant.bankAccountId) {
        throw unprocessable('Your bank account not found');
      }
      const { description, amount, metadata, matures_at: maturesAt, authoriser_contact_id: contactId } = wanted;
      const made = addPaymentRequest(db, { description, amount, metadata, maturesAt, contactId }, key, now);
      announce(world, made, now);
      scheduleDebit(world, Math.max(maturesAt, now));
      return { ref: made.ref, made };
    });
    await agenda.settle();
    return { data: presentWhole(request) };
  });

  app.get<Path>('/payment_requests/collections', async (request, reply) => {
    const page = pageOf(request);
    // The published description has no metadata object in this listing, so there is none.
    return sendPage(reply, origin, listPaymentRequests(db, page.limit + 1, page.offset), page, presentPaymentRequest);
  });

  app.get<Path>('/payment_requests/:ref', async ({ params }) => {
    const request = findPaymentRequest(db, params.ref);
    if (request === undefined) throw notFound('Payment request');
    return { data: presentWhole(request) };
  });

  app.delete<Path>('/payment_requests/:ref', async ({ params }, reply) => {
    db.atomically(() => withdraw(world, params.ref, clock.now()));
    return reply.status(204).send();
  });
}

function announce(world: World, request: PaymentRequest, at: number): void {
  if (world.outbox.hasSubscriber('zepto', 'payment_request.added')) {
    publish(world, 'payment_request.added', [presentWhole(request)], at);
  }
  const { ref, pairRef } = getTransaction(world.db, request.creditRef);
  notify(world, 'creditor_debit.scheduled', [pairRef], at);
  notify(world, 'credit.scheduled', [ref], at);
}
