import { randomUUID } from 'node:crypto';
import type { Db } from '#world/database.ts';
import type { Provider, Subscription } from './subscriptions.ts';

export interface Attempt {
  id: string;
  url: string;
  status: 'Success' | 'Failed';
  response: string;
  responseStatusCode: number | null;
  timestamp: string;
}

export interface Message {
  number: number;
  id: string;
  provider: Provider;
  subscriptionId: string;
  eventType: string;
  eventId: string;
  body: string;
  /** `waiting` for an attempt, `delivered`, `given up`, or deliberately `dropped`. */
  state: 'waiting' | 'delivered' | 'given up' | 'dropped';
  attempts: Attempt[];
  createdAt: number;
  nextAttemptAt: number;
}

interface Row extends Omit<Message, 'attempts'> {
  attempts: string;
}

const columns = `number, id, provider, subscription_id as subscriptionId, event_type as eventType, event_id as eventId,
  body, state, attempts, created_at as createdAt, next_attempt_at as nextAttemptAt`;

const toMessage = (row: Row): Message => ({ ...row, attempts: JSON.parse(row.attempts) });

export function addMessage(
  db: Db,
  { id, provider }: Subscription,
  type: string,
  eventId: string,
  body: string,
  at: number,
): void {
  db.run(
    `insert into messages (id, provider, subscription_id, event_type, event_id, body, state, attempts, created_at, next_attempt_at)
     values (?, ?, ?, ?, ?, ?, 'waiting', '[]', ?, ?)`,
    randomUUID(),
    provider,
    id,
    type,
    eventId,
    body,
    at,
    at,
  );
}

export const listDueMessages = (db: Db, now: number, limit: number): Message[] =>
  db
    .all<Row>(
      `select ${columns} from messages where state = 'waiting' and next_attempt_at <= ? order by next_attempt_at, number limit ?`,
      now,
      limit,
    )
    .map(toMessage);

export const listMessages = (db: Db, subscriptionId: string, limit: number): Message[] =>
  db
    .all<Row>(
      `select ${columns} from messages where subscription_id = ? order by number desc limit ?`,
      subscriptionId,
      limit,
    )
    .map(toMessage);

export const listLatestMessages = (db: Db, limit: number): Message[] =>
  db.all<Row>(`select ${columns} from messages order by number desc limit ?`, limit).map(toMessage);

export function findMessage(db: Db, id: string): Message | undefined {
  const row = db.find<Row>(`select ${columns} from messages where id = ?`, id);
  return row === undefined ? undefined : toMessage(row);
}

export const updateMessage = (db: Db, { number, state, attempts, nextAttemptAt }: Message): number =>
  db.run(
    'update messages set state = ?, attempts = ?, next_attempt_at = ? where number = ?',
    state,
    JSON.stringify(attempts),
    nextAttemptAt,
    number,
  );
