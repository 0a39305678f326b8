import { randomUUID } from 'node:crypto';
import type { Db } from '#world/database.ts';
import { isoInstant } from '#world/days.ts';
import type { World } from '#world/world.ts';

export const eventTypes = {
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

export interface BankEvent {
  id: string;
  createdAt: number;
  entity: string;
  eventType: string;
  userId: string;
  dataRef: string;
  data: string;
}

interface NewEvent {
  userId: string;
  /** Path of what it is about, below /basiq. */
  path: string;
  data?: object;
}

/** Records an event and notifies whoever subscribed to its type. The notification names the event, never the user. */
export function emit(world: World, type: EventType, { userId, path, data = {} }: NewEvent, at: number): void {
  const id = randomUUID();
  const api = `${world.origin}/basiq`;
  const [entity = '', eventType = ''] = type.split('.');
  world.db.run(
    'insert into events (id, created_at, entity, event_type, user_id, data_ref, data) values (?, ?, ?, ?, ?, ?, ?)',
    id,
    at,
    entity,
    eventType,
    userId,
    `${api}${path}`,
    JSON.stringify(data),
  );
  const links = { event: `${api}/events/${id}`, eventEntity: `${api}${path}` };
  world.outbox.publish('basiq', type, id, JSON.stringify({ eventTypeId: type, eventId: id, links }), at);
}

const columns =
  'id, created_at as createdAt, entity, event_type as eventType, user_id as userId, data_ref as dataRef, data';

export const listEvents = (db: Db, since: number, userId: string | undefined): BankEvent[] =>
  userId === undefined
    ? db.all<BankEvent>(
        `select ${columns} from events where created_at >= ? order by created_at desc, rowid desc limit 500`,
        since,
      )
    : db.all<BankEvent>(
        `select ${columns} from events where user_id = ? and created_at >= ? order by created_at desc, rowid desc limit 500`,
        userId,
        since,
      );

export const findEvent = (db: Db, id: string): BankEvent | undefined =>
  db.find<BankEvent>(`select ${columns} from events where id = ?`, id);

export const presentEvent = (origin: string, event: BankEvent) => ({
  type: 'event',
  id: event.id,
  createdDate: isoInstant(event.createdAt),
  entity: event.entity,
  eventType: event.eventType,
  userId: event.userId,
  dataRef: event.dataRef,
  data: JSON.parse(event.data),
  links: { self: `${origin}/basiq/events/${event.id}` },
});
