import type { FastifyInstance } from 'fastify';
import { findMessage, listMessages, type Message, updateMessage } from '#webhooks/messages.ts';
import { listSubscriptions } from '#webhooks/subscriptions.ts';
import { isoInstant } from '#world/days.ts';
import type { World } from '#world/world.ts';
import { pageOf, sendPage } from './pages.ts';
import { notFound } from './problem.ts';
import { searchTransactions } from './search.ts';
import { presentTransaction } from './transactions.ts';

interface Path {
  Params: { id: string };
  Querystring: Record<string, unknown>;
}

const deliveryStates = { waiting: 'pending', delivered: 'completed', 'given up': 'failed', dropped: 'failed' } as const;

const presentDelivery = ({ id, subscriptionId, eventType, state, attempts, createdAt }: Message) => ({
  id,
  webhook_id: subscriptionId,
  event_type: eventType,
  state: state === 'waiting' && attempts.length > 0 ? 'retrying' : deliveryStates[state],
  response_status_code: attempts.at(-1)?.responseStatusCode ?? null,
  created_at: isoInstant(createdAt),
});

export function transactionRoutes(app: FastifyInstance, world: World): void {
  const { db, clock, origin } = world;

  app.get<Path>('/transactions', async (request, reply) => {
    const page = pageOf(request);
    return sendPage(reply, origin, searchTransactions(db, request.query, page, clock.now()), page, presentTransaction);
  });

  app.get('/webhooks', async () => ({
    data: listSubscriptions(db, 'zepto').map(({ id, url, eventTypes }) => ({ id, url, events: eventTypes })),
  }));

  app.get<Path>('/webhooks/:id/deliveries', async ({ params }) => ({
    data: listMessages(db, params.id, 100).map(presentDelivery),
  }));

  app.get<Path>('/webhook_deliveries/:id', async ({ params }) => {
    const message = findMessage(db, params.id);
    if (message === undefined) throw notFound('Webhook delivery');
    return { data: { ...presentDelivery(message), payload: JSON.parse(message.body) } };
  });

  app.post<Path>('/webhook_deliveries/:id/redeliver', async ({ params }, reply) => {
    const message = findMessage(db, params.id);
    if (message === undefined) throw notFound('Webhook delivery');
    updateMessage(db, { ...message, state: 'waiting', nextAttemptAt: clock.now() });
    return reply.status(202).send({ data: { id: message.id, webhook_id: message.subscriptionId, state: 'pending' } });
  });
}
