import type { EventType } from '@sparechange/contract/program-events';
import type { Db } from '#db/connect.ts';

export interface Endpoint {
  id: string;
  url: string;
  types: EventType[];
  clubId: string | null;
  createdAt: Date;
  /** Time from which nothing is delivered; events are stored. */
  pausedAt: Date | null;
  /** Time until which the previous secret signs as well. */
  formerUntil: Date | null;
  /** Deliveries still being tried, and those given up. */
  waiting: number;
  parked: number;
}

/** Lists the endpoints that were not removed, oldest first. */
export async function listEndpoints(db: Db): Promise<Endpoint[]> {
  const endpoints = await db<Endpoint[]>`
    select id, url, types, club_id as "clubId", created_at as "createdAt", paused_at as "pausedAt", former_until as "formerUntil",
      (select count(*)::int from webhook_deliveries where endpoint_id = endpoint.id and due_at is not null) as waiting,
      (select count(*)::int from webhook_deliveries where endpoint_id = endpoint.id and parked_at is not null) as parked
    from webhook_endpoints endpoint where removed_at is null order by created_at, id`;
  return [...endpoints];
}

export interface Receiver {
  id: string;
  url: string;
  secret: Uint8Array;
  formerSecret: Uint8Array | null;
}

const receiverColumns = (db: Db, now: Date) => db`
  id, url, secret_encrypted as secret, case when former_until > ${now} then former_secret_encrypted end as "formerSecret"`;

/** Lists endpoints with deliveries due now, longest uncalled first. */
export async function listDueReceivers(db: Db, now: Date): Promise<Receiver[]> {
  const receivers = await db<Receiver[]>`
    select ${receiverColumns(db, now)} from webhook_endpoints endpoint
    where removed_at is null and paused_at is null and exists (
      select from webhook_deliveries where endpoint_id = endpoint.id and due_at <= ${now})
    order by called_at nulls first, id`;
  return [...receivers];
}

/** Records the call of an endpoint, regardless of its outcome. */
export async function recordCall(db: Db, id: string): Promise<void> {
  await db`update webhook_endpoints set called_at = now() where id = ${id}`;
}

export async function findReceiver(db: Db, id: string, now: Date): Promise<Receiver | undefined> {
  const [receiver] = await db<Receiver[]>`
    select ${receiverColumns(db, now)} from webhook_endpoints where id = ${id} and removed_at is null`;
  return receiver;
}

export type NewEndpoint = Pick<Endpoint, 'id' | 'url' | 'types' | 'clubId' | 'createdAt'> & { secret: Uint8Array };

export async function insertEndpoint(db: Db, endpoint: NewEndpoint): Promise<void> {
  const { id, url, types, clubId, secret, createdAt } = endpoint;
  await db`
    insert into webhook_endpoints (id, url, types, club_id, secret_encrypted, created_at)
    values (${id}, ${url}, ${types}, ${clubId}, ${secret}, ${createdAt})`;
}

/** Replaces an endpoint's secret; returns false if there is no such endpoint. */
export async function replaceEndpointSecret(
  db: Db,
  { id, secret, formerUntil }: { id: string; secret: Uint8Array; formerUntil: Date },
): Promise<boolean> {
  const changed = await db`
    update webhook_endpoints set former_secret_encrypted = secret_encrypted, former_until = ${formerUntil},
      secret_encrypted = ${secret}
    where id::text = ${id} and removed_at is null`;
  return changed.count > 0;
}

/**
 * Pauses an endpoint, or ends its pause: waiting deliveries are then tried for three days. Returns false if there is no
 * such endpoint.
 */
export async function setPause(db: Db, id: string, isPaused: boolean, now: Date): Promise<boolean> {
  const changed = await db`
    update webhook_endpoints set paused_at = case when ${isPaused} then coalesce(paused_at, ${now}::timestamptz) end
    where id = ${id} and removed_at is null`;
  if (!isPaused)
    await db`update webhook_deliveries set since = ${now}, due_at = ${now} where endpoint_id = ${id} and due_at is not null`;
  return changed.count > 0;
}

/** Ends an endpoint and its waiting deliveries; returns false if there is no such endpoint. */
export async function endEndpoint(db: Db, id: string, at: Date): Promise<boolean> {
  const changed = await db`
    update webhook_endpoints set removed_at = ${at} where id::text = ${id} and removed_at is null`;
  await db`update webhook_deliveries set due_at = null where endpoint_id::text = ${id} and due_at is not null`;
  return changed.count > 0;
}
