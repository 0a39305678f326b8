import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { table } from '#world/database.ts';
import { isoInstant } from '#world/days.ts';
import type { World } from '#world/world.ts';
import { listOf, notFound } from './answers.ts';
import { applyFilter } from './filter.ts';

const eventTypes = {
  'account.updated': 'when an account is updated',
  'connection.activated': 'when a connection is activated',
  'connection.created': 'when a connection is created',
  'connection.deleted': 'when a connection is deleted',
  'connection.invalidated': 'when a connection is invalidated',
  'consent.created': 'when a consent is created',
  'consent.expired': 'when a consent is expired',
  'consent.reminder': 'when 90 days have passed since a consent was last updated',
  'consent.revoked': 'when a consent is revoked',
  'consent.updated': 'when a consent is updated',
  'consent.warning': 'when a consent expires in 7 days',
  'transactions.updated': 'when transactions are updated',
  'user.created': 'when a user is created',
  'user.deleted': 'when a user is deleted',
  'user.updated': 'when a user is updated',
} as const;

export type EventType = keyof typeof eventTypes;

export const isEventType = (text: string): text is EventType => text in eventTypes;

interface BankEvent {
  id: string;
  createdAt: number;
  entity: string;
  eventType: string;
  userId: string;
  dataRef: string;
  data: object;
}

const events = table<BankEvent>('events', ['data']);

/** Records an event and notifies its subscribers. The notification names the event, never the user. */
export function emit(
  { db, origin, outbox }: World,
  type: EventType,
  userId: string,
  path: string,
  at: number,
  data: object = {},
): void {
  const id = randomUUID();
  const dataRef = `${origin}/basiq${path}`;
  const [entity = '', eventType = ''] = type.split('.');
  events.insert(db, { id, createdAt: at, entity, eventType, userId, dataRef, data });
  const links = { event: `${origin}/basiq/events/${id}`, eventEntity: dataRef };
  outbox.publish('basiq', type, id, { eventTypeId: type, eventId: id, links }, at);
}

const weekMs = 7 * 86_400_000;

export function eventRoutes(app: FastifyInstance, { db, clock, origin }: World): void {
  const api = `${origin}/basiq/events`;
  const presentType = (id: EventType) => ({
    type: 'eventType',
    id,
    description: eventTypes[id],
    links: { self: `${api}/types/${id}` },
  });
  const present = ({ createdAt, id, ...event }: BankEvent) => ({
    type: 'event',
    id,
    createdDate: isoInstant(createdAt),
    ...event,
    links: { self: `${api}/${id}` },
  });

  app.get('/events/types', async () =>
    listOf(`${api}/types`, Object.keys(eventTypes).filter(isEventType).map(presentType), 'size', 'count'),
  );

  app.get<{ Params: { id: string } }>('/events/types/:id', async ({ params: { id } }) => {
    if (!isEventType(id)) throw notFound('event type');
    return presentType(id);
  });

  app.get<{ Querystring: { filter?: string } }>('/events', async ({ query }) => {
    const userId = /user\.id\.eq\(\s*['"]([^'"]*)/.exec(query.filter ?? '')?.[1] ?? null;
    const recent = events.select(
      db,
      'where created_at >= ?1 and (?2 is null or user_id = ?2) order by created_at desc, rowid desc limit 500',
      clock.now() - weekMs,
      userId,
    );
    const found = applyFilter(recent, query.filter, ['eq'], {
      'user.id': (event) => event.userId,
      'event.entity': (event) => event.entity,
      'event.type': (event) => event.eventType,
    });
    return listOf(api, found.map(present));
  });

  app.get<{ Params: { id: string } }>('/events/:id', async ({ params }) => {
    const event = events.find(db, { id: params.id });
    if (event === undefined || event.createdAt < clock.now() - weekMs) throw notFound('event');
    return present(event);
  });
}
