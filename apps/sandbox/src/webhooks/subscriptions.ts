import type { Db } from '#world/database.ts';

export type Provider = 'basiq' | 'zepto';

export interface Subscription {
  id: string;
  provider: Provider;
  name: string;
  description: string;
  url: string;
  secret: string;
  /** Event types; an empty list stands for all of them. */
  eventTypes: string[];
}

interface Row extends Omit<Subscription, 'eventTypes'> {
  eventTypes: string;
}

const columns = 'id, provider, name, description, url, secret, event_types as eventTypes';

const toSubscription = (row: Row): Subscription => ({ ...row, eventTypes: JSON.parse(row.eventTypes) });

export const listSubscriptions = (db: Db, provider: Provider): Subscription[] =>
  db
    .all<Row>(`select ${columns} from subscriptions where provider = ? order by created_at, id`, provider)
    .map(toSubscription);

export function findSubscription(db: Db, id: string): Subscription | undefined {
  const row = db.find<Row>(`select ${columns} from subscriptions where id = ?`, id);
  return row === undefined ? undefined : toSubscription(row);
}

export function saveSubscription(db: Db, subscription: Subscription, at: number): void {
  const { id, provider, name, description, url, secret, eventTypes } = subscription;
  db.run(
    `insert into subscriptions (id, provider, name, description, url, secret, event_types, created_at)
     values (?, ?, ?, ?, ?, ?, ?, ?)
     on conflict (id) do update set name = excluded.name, description = excluded.description, url = excluded.url,
       secret = excluded.secret, event_types = excluded.event_types`,
    id,
    provider,
    name,
    description,
    url,
    secret,
    JSON.stringify(eventTypes),
    at,
  );
}

export const removeSubscription = (db: Db, id: string): boolean =>
  db.run('delete from subscriptions where id = ?', id) === 1;

export const wants = ({ eventTypes }: Subscription, type: string): boolean =>
  eventTypes.length === 0 || eventTypes.includes(type);
