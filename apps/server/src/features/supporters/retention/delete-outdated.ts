import { addDays, sydneyDay, sydneyTime } from '@sparechange/domain';
import type { Pool } from '#db/connect.ts';
import { controlAndBuckets, inTurn } from '#db/in-each-bucket.ts';
import { hasSupporters } from '#db/scope.ts';
import { deleteLapsed } from '#features/beneficiaries/club-requests/request-repository.ts';
import { isCounted } from '#features/correspondence/emails/queue-email.ts';
import { daysKept } from '#features/supporters/round-ups/record-ineligible-transactions.ts';
import { type Clock, today } from '#ports/clock.ts';
import { makePartitions } from './make-partitions.ts';

/** Days for which records of finished work are kept. Money, consents and the audit log are kept for good. */
export interface Retention {
  mails: number;
  notifications: number;
  timetableRuns: number;
}

export interface RetentionDeps {
  db: Pool;
  clock: Clock;
  retention: Retention;
}

type Outdated = keyof Retention | 'webhookEvents' | 'ineligibleTransactions';

type Deleted = Record<Outdated, number> & {
  /** True if a night was too short; the next continues. */
  isLimited: boolean;
};

/** Rows of one statement, so that none holds locks or a snapshot for long. */
const batchSize = 5_000;
/** Batches per night, table and bucket: five million rows. */
const maxBatches = 1_000;

type Statement = (pool: Pool, end: Date, limit: number) => PromiseLike<{ count: number }>;

/** Control has no supporters, so its emails are not counted. */
const mayGo = (db: Pool) =>
  hasSupporters(db.scope)
    ? db`not exists (select from supporters where supporters.supporter_id = mails.supporter_id and ${isCounted(db)})`
    : db`true`;

const deleteMails: Statement = (db, end, limit) => db`
  delete from mails where ctid = any(array(select ctid from mails
    where queued_at < ${end} and (given_up_at is not null or (sent_at is not null and ${mayGo(db)})) limit ${limit}))`;

const deleteNotifications: Statement = (db, end, limit) => db`
  delete from notifications where ctid = any(array(select ctid from notifications
    where received_at < ${end} and handled_at is not null limit ${limit}))`;

/** Deletes events with their deliveries and attempts; those that are still tried stay. */
const deleteEvents: Statement = (db, end, limit) => db`
  delete from webhook_events where ctid = any(array(select event.ctid from webhook_events event
    where at < ${end} and not exists (
      select from webhook_deliveries where event_id = event.id and due_at is not null) limit ${limit}))`;

const deleteTimetableRuns: Statement = (db, end, limit) => db`
  delete from timetable_runs where ctid = any(array(select ctid from timetable_runs where due_at < ${end} limit ${limit}))`;

const deleteIneligible: Statement = (db, end, limit) => db`
  delete from ineligible_transactions where ctid = any(array(select ctid from ineligible_transactions
    where day < ${sydneyDay(end)} limit ${limit}))`;

/**
 * Deletes finished work and lines without a round-up beyond their retention, in small statements; open work stays
 * however old it is.
 */
export async function deleteOutdated(
  { db, clock, retention }: RetentionDeps,
  { size, batches } = { size: batchSize, batches: maxBatches },
): Promise<Deleted> {
  const keptDays = { ...retention, webhookEvents: retention.notifications, ineligibleTransactions: daysKept };
  const deleted: Deleted = {
    mails: 0,
    notifications: 0,
    timetableRuns: 0,
    webhookEvents: 0,
    ineligibleTransactions: 0,
    isLimited: false,
  };
  const deleteFrom = async (kind: Outdated, statement: Statement, pool: Pool) => {
    const end = sydneyTime(addDays(today(clock), -keptDays[kind]), '00:00');
    let count = size;
    for (let batch = 0; batch < batches && count === size; batch += 1) {
      ({ count } = await statement(pool, end, size));
      deleted[kind] += count;
    }
    deleted.isLimited ||= count === size;
  };
  await inTurn(
    [
      () => deleteFrom('notifications', deleteNotifications, db),
      () => deleteFrom('timetableRuns', deleteTimetableRuns, db),
      () => deleteFrom('webhookEvents', deleteEvents, db),
      ...controlAndBuckets(db).map((pool) => () => deleteFrom('mails', deleteMails, pool)),
      ...db.inBuckets().map((bucket) => () => deleteFrom('ineligibleTransactions', deleteIneligible, bucket)),
      async () => void (await deleteLapsed(db, clock.now())),
    ],
    (deletion) => deletion(),
  );
  return deleted;
}

/** Deletes outdated rows and creates partitions; a failed deletion does not delay a partition. */
export async function runRetention(deps: RetentionDeps): Promise<object> {
  const steps = [() => deleteOutdated(deps), async () => ({ partitions: await makePartitions(deps) })];
  return Object.assign({}, ...(await inTurn(steps, (step): Promise<object> => step())));
}
