import { randomBytes, randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type Message, messages, type Subscription, subscriptions } from '#webhooks/messages.ts';
import type { World } from '#world/world.ts';
import { BasiqProblem, listOf, notFound, parameterNotValid, parse } from './answers.ts';
import { isEventType } from './events.ts';

interface Path {
  Params: { webhookId: string; messageId: string };
  Querystring: { limit?: string };
}

const NewWebhook = z.object({
  name: z.string().optional(),
  description: z.string().optional(),
  url: z.url(),
  subscribedEvents: z.array(z.string()).default([]),
});

export function webhookRoutes(app: FastifyInstance, { db, clock, outbox, origin }: World): void {
  const path = '/notifications/webhooks';
  const api = `${origin}/basiq`;

  const list = () => subscriptions.list(db, { provider: 'basiq' }, 'order by created_at, id');

  const getWebhook = (id: string): Subscription => {
    const found = subscriptions.find(db, { id, provider: 'basiq' });
    if (found === undefined) throw notFound('webhook');
    return found;
  };

  /** Stores a subscription, unless it repeats an address or an event type of another. */
  const save = (wanted: Subscription): void => {
    const { id, url, eventTypes } = wanted;
    const others = list().filter((other) => other.id !== id);
    if (others.some((other) => other.url === url)) {
      const title = 'Resource already exists.';
      throw new BasiqProblem(409, 'resource-already-exists', title, 'A webhook with this url already exists.');
    }
    const isTaken = (type: string) =>
      others.some((other) => other.eventTypes.length === 0 || other.eventTypes.includes(type));
    const taken = eventTypes.find(isTaken);
    if (taken !== undefined) {
      const detail = `${taken} is already subscribed to.`;
      throw new BasiqProblem(400, 'event-already-subscribed', 'Event already subscribed.', detail);
    }
    const unknown = eventTypes.find((type) => !isEventType(type));
    if (unknown !== undefined) throw parameterNotValid(`${unknown} is not an event type.`, 'subscribedEvents');
    subscriptions.replace(db, wanted);
    outbox.reloadSubscriptions();
  };

  const present = ({ id, name, description, url, eventTypes }: Subscription) => ({
    type: 'webhook',
    id,
    name,
    description,
    url,
    status: 'active',
    subscribedEvents: eventTypes,
    links: { self: `${api}${path}/${id}` },
  });

  app.post(path, async ({ body }, reply) => {
    const { url, subscribedEvents: eventTypes, name = '', description = '' } = parse(NewWebhook, body);
    const secret = `whsec_${randomBytes(24).toString('base64')}`;
    const texts = { name, description, url, secret };
    const made = { id: randomUUID(), provider: 'basiq' as const, ...texts, eventTypes, createdAt: clock.now() };
    save(made);
    return reply.status(201).send({ ...present(made), secret });
  });

  app.get(path, async () => listOf(`${api}${path}`, list().map(present), 'size', 'count'));

  app.get<Path>(`${path}/:webhookId`, async ({ params }) => present(getWebhook(params.webhookId)));

  app.post<Path>(`${path}/:webhookId`, async ({ params, body }) => {
    const before = getWebhook(params.webhookId);
    const { url, subscribedEvents: eventTypes, ...texts } = parse(NewWebhook, body);
    const { name = before.name, description = before.description } = texts;
    const changed = { ...before, name, description, url, eventTypes };
    save(changed);
    return present(changed);
  });

  app.delete<Path>(`${path}/:webhookId`, async ({ params }, reply) => {
    subscriptions.remove(db, { id: getWebhook(params.webhookId).id });
    outbox.reloadSubscriptions();
    return reply.status(204).send();
  });

  const presentMessage = ({ id, subscriptionId, eventType, eventId, body, attempts }: Message) => {
    const webhook = `${api}${path}/${subscriptionId}`;
    return {
      id,
      webhookId: subscriptionId,
      eventTypeId: eventType,
      eventId,
      payload: JSON.parse(body),
      attempts,
      links: { self: `${webhook}/messages/${id}`, event: `${api}/events/${eventId}`, webhook },
    };
  };

  app.get<Path>(`${path}/:webhookId/messages`, async ({ params, query }) => {
    const { id } = getWebhook(params.webhookId);
    const limit = Math.min(Number(query.limit ?? 100) || 100, 500);
    const found = messages.select(db, 'where subscription_id = ? order by number desc limit ?', id, limit);
    return listOf(`${api}${path}/${id}/messages`, found.map(presentMessage), 'size', 'count');
  });

  app.get<Path>(`${path}/:webhookId/messages/:messageId`, async ({ params }) => {
    const { id } = getWebhook(params.webhookId);
    const message = messages.find(db, { id: params.messageId, subscriptionId: id });
    if (message === undefined) throw notFound('message');
    return presentMessage(message);
  });
}
