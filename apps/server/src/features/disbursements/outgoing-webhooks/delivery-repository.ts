import type { EventType } from '@sparechange/contract/program-events';
import type { Db } from '#db/connect.ts';
import { afterAttempt, claim, type DueColumns, isFree, startAgain } from '#db/due-work.ts';

/** Columns by which deliveries are taken, tried again and parked. */
export const dueDeliveries = {
  key: ['endpoint_id', 'event_id'],
  dueAt: 'due_at',
  claimedUntil: 'taken_until',
  parkedAt: 'parked_at',
  failingSince: 'since',
} satisfies DueColumns;

export interface TakenDelivery {
  endpointId: string;
  eventId: string;
  type: EventType;
  data: unknown;
  at: Date;
  /** Time of the event, its replay or the end of a pause, from which it is tried for three days. */
  since: Date;
}

/** Takes an endpoint's longest due delivery; one of a worker that died is taken again after a minute. */
export async function takeDelivery(db: Db, endpointId: string, now: Date): Promise<TakenDelivery | undefined> {
  const [delivery] = await db<TakenDelivery[]>`
    with ${claim(db, dueDeliveries, {
      due: db`
        select endpoint_id, event_id from webhook_deliveries
        where endpoint_id = ${endpointId} and ${isFree(db, dueDeliveries, now, db`now()`)}
          and exists (select from webhook_endpoints where id = ${endpointId} and paused_at is null and removed_at is null)`,
      limit: db`1`,
      mark: db`update webhook_deliveries work set taken_until = now() + interval '1 minute'`,
    })}
    select endpoint_id as "endpointId", event_id as "eventId", type, data, at, since
    from claimed join webhook_events event on event.id = event_id`;
  return delivery;
}

export interface DeliveryAttempt {
  at: Date;
  status: number | null;
  durationMs: number;
  answer: string;
  /** End of the delivery, or the next attempt. */
  next: 'delivered' | 'parked' | Date;
}

/** Stores an attempt and its consequence; a delivery that has since been replayed or removed stays so. */
export async function recordDelivery(db: Db, { endpointId, eventId, since }: TakenDelivery, attempt: DeliveryAttempt) {
  const { at, status, durationMs, answer, next } = attempt;
  await db`
    with attempted as (
      insert into webhook_attempts (endpoint_id, event_id, at, status, duration_ms, answer)
      values (${endpointId}, ${eventId}, ${at}, ${status}, ${durationMs}, ${answer})
    )
    update webhook_deliveries set attempts = attempts + 1, delivered_at = ${next === 'delivered' ? at : null},
      ${afterAttempt(db, dueDeliveries, {
        dueAt: next instanceof Date ? next : null,
        parkedAt: next === 'parked' ? at : null,
      })}
    where endpoint_id = ${endpointId} and event_id = ${eventId} and since = ${since} and due_at is not null`;
}

export interface LoggedAttempt {
  eventId: string;
  type: EventType;
  at: Date;
  status: number | null;
  durationMs: number;
  answer: string;
  state: 'delivered' | 'parked' | 'waiting' | 'ended';
}

const attemptColumns = (db: Db) => db`
  attempt.event_id as "eventId", type, attempt.at, status, duration_ms as "durationMs", answer,
  case when delivered_at is not null then 'delivered' when parked_at is not null then 'parked'
    when due_at is not null then 'waiting' else 'ended' end as state`;

const attempts = (db: Db) => db`
  webhook_attempts attempt join webhook_deliveries delivery using (endpoint_id, event_id)
  join webhook_events event on event.id = attempt.event_id`;

export interface AttemptFilter {
  endpointId?: string | undefined;
  /** Id of the last attempt on the previous page. */
  after?: string | undefined;
  limit: number;
}

/** Lists attempts to deliver to one endpoint or to all, newest first, with the delivery's present state. */
export async function listAttempts(db: Db, { endpointId, after, limit }: AttemptFilter) {
  const listed = await db<(LoggedAttempt & { id: string; endpointId: string; url: string })[]>`
    select attempt.id::text as id, endpoint_id as "endpointId", url, ${attemptColumns(db)}
    from ${attempts(db)} join webhook_endpoints endpoint on endpoint.id = endpoint_id
    where (${endpointId ?? null}::uuid is null or endpoint_id = ${endpointId ?? null})
      and (${after ?? null}::bigint is null or attempt.id < ${after ?? null})
    order by attempt.id desc limit ${limit}`;
  return [...listed];
}

/** Queues an endpoint's parked deliveries again, or the delivery of one event in any state; returns how many. */
export async function queueAgain(db: Db, endpointId: string, eventId: string | undefined, now: Date): Promise<number> {
  const queued = await db`
    update webhook_deliveries delivery set delivered_at = null, ${startAgain(db, dueDeliveries, now, now)}
    from webhook_endpoints endpoint
    where endpoint.id = delivery.endpoint_id and endpoint.removed_at is null and endpoint.id::text = ${endpointId}
      and case when ${eventId ?? null}::text is null then parked_at is not null
        else delivery.event_id::text = ${eventId ?? null} end`;
  return queued.count;
}

export interface ParkedDeliveries {
  endpointId: string;
  url: string;
  parked: number;
  lastParkedAt: Date;
}

/** Lists endpoints with deliveries that were parked since then. */
export async function listParked(db: Db, since: Date): Promise<ParkedDeliveries[]> {
  const parked = await db<ParkedDeliveries[]>`
    select endpoint_id as "endpointId", url, count(*)::int as parked, max(parked_at) as "lastParkedAt"
    from webhook_deliveries join webhook_endpoints endpoint on endpoint.id = endpoint_id
    where parked_at >= ${since} and removed_at is null group by endpoint_id, url order by endpoint_id`;
  return [...parked];
}
