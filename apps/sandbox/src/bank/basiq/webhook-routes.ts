import { randomBytes, randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { findMessage, listMessages, type Message } from '#webhooks/messages.ts';
import {
  findSubscription,
  listSubscriptions,
  removeSubscription,
  type Subscription,
  saveSubscription,
} from '#webhooks/subscriptions.ts';
import type { World } from '#world/world.ts';
import { parse } from './access.ts';
import { isEventType } from './events.ts';
import { BasiqProblem, notFound, parameterNotValid } from './problem.ts';

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

export function webhookRoutes(app: FastifyInstance, world: World): void {
  const { db, clock, outbox } = world;
  const collection = `${world.origin}/basiq/notifications/webhooks`;

  const present = ({ id, name, description, url, eventTypes }: Subscription) => ({
    type: 'webhook',
    id,
    name,
    description,
    url,
    status: 'active',
    subscribedEvents: eventTypes,
    links: { self: `${collection}/${id}` },
  });

  const getWebhook = (id: string): Subscription => {
    const found = findSubscription(db, id);
    if (found?.provider !== 'basiq') throw notFound('Requested webhook does not exist.');
    return found;
  };

  /** Throws if an application repeats an event type or address. */
  const checkFree = (url: string, eventTypes: string[], except: string | undefined): void => {
    const others = listSubscriptions(db, 'basiq').filter(({ id }) => id !== except);
    if (others.some((other) => other.url === url)) {
      throw new BasiqProblem(
        409,
        'resource-already-exists',
        'Resource already exists.',
        'A webhook with this url already exists.',
      );
    }
    const taken = eventTypes.find((type) =>
      others.some((other) => other.eventTypes.includes(type) || other.eventTypes.length === 0),
    );
    if (taken !== undefined) {
      throw new BasiqProblem(
        400,
        'event-already-subscribed',
        'Event already subscribed.',
        `${taken} is already subscribed to.`,
      );
    }
  };

  const save = (subscription: Subscription): void => {
    const unknown = subscription.eventTypes.find((type) => !isEventType(type));
    if (unknown !== undefined) throw parameterNotValid(`${unknown} is not an event type.`, 'subscribedEvents');
    saveSubscription(db, subscription, clock.now());
    outbox.forgetSubscriptions();
  };

  app.post('/notifications/webhooks', async ({ body }, reply) => {
    const { url, subscribedEvents, name = '', description = '' } = parse(NewWebhook, body);
    checkFree(url, subscribedEvents, undefined);
    const secret = `whsec_${randomBytes(24).toString('base64')}`;
    const made: Subscription = {
      id: randomUUID(),
      provider: 'basiq',
      name,
      description,
      url,
      secret,
      eventTypes: subscribedEvents,
    };
    save(made);
    return reply.status(201).send({ ...present(made), secret });
  });

  app.get('/notifications/webhooks', async () => {
    const data = listSubscriptions(db, 'basiq').map(present);
    return { type: 'list', size: data.length, count: data.length, data, links: { self: collection } };
  });

  app.get<Path>('/notifications/webhooks/:webhookId', async ({ params }) => present(getWebhook(params.webhookId)));

  app.post<Path>('/notifications/webhooks/:webhookId', async ({ params, body }) => {
    const before = getWebhook(params.webhookId);
    const { url, subscribedEvents, name = before.name, description = before.description } = parse(NewWebhook, body);
    checkFree(url, subscribedEvents, before.id);
    const changed = { ...before, url, name, description, eventTypes: subscribedEvents };
    save(changed);
    return present(changed);
  });

  app.delete<Path>('/notifications/webhooks/:webhookId', async ({ params }, reply) => {
    removeSubscription(db, getWebhook(params.webhookId).id);
    outbox.forgetSubscriptions();
    return reply.status(204).send();
  });

  const presentMessage = ({ id, subscriptionId, eventType, eventId, body, attempts }: Message) => {
    const webhook = `${collection}/${subscriptionId}`;
    return {
      id,
      webhookId: subscriptionId,
      eventTypeId: eventType,
      eventId,
      payload: JSON.parse(body),
      attempts,
      links: { self: `${webhook}/messages/${id}`, event: `${world.origin}/basiq/events/${eventId}`, webhook },
    };
  };

  app.get<Path>('/notifications/webhooks/:webhookId/messages', async ({ params, query }) => {
    const { id } = getWebhook(params.webhookId);
    const data = listMessages(db, id, Math.min(Number(query.limit ?? 100) || 100, 500)).map(presentMessage);
    return {
      type: 'list',
      size: data.length,
      count: data.length,
      data,
      links: { self: `${collection}/${id}/messages` },
    };
  });

  app.get<Path>('/notifications/webhooks/:webhookId/messages/:messageId', async ({ params }) => {
    const message = findMessage(db, params.messageId);
    if (message?.subscriptionId !== getWebhook(params.webhookId).id)
      throw notFound('Requested message does not exist.');
    return presentMessage(message);
  });

  app.post('/notifications/messages/test', async ({ body }, reply) => {
    const { eventTypeId } = parse(z.object({ eventTypeId: z.string() }), body);
    if (!isEventType(eventTypeId)) throw parameterNotValid(`${eventTypeId} is not an event type.`, 'eventTypeId');
    const eventId = randomUUID();
    const links = {
      event: `${world.origin}/basiq/events/${eventId}`,
      eventEntity: `${world.origin}/basiq/events/${eventId}`,
    };
    outbox.publish('basiq', eventTypeId, eventId, JSON.stringify({ eventTypeId, eventId, links }), clock.now());
    return reply.status(201).send();
  });
}
