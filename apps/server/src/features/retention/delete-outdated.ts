import { addDays, sydneyTime } from '@sparechange/domain';
import type { Pool } from '#db/connect.ts';
import { isCounted } from '#features/emails/unproven-address.ts';
import { type Clock, today } from '#ports/clock.ts';

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

type Deleted = Record<keyof Retention, number> & {
  /** True where a night was not enough; the next one goes on. */
  isLimited: boolean;
};

/** Rows of one statement, so that none holds locks or a snapshot for long. */
const batchSize = 5_000;
/** Batches of a night and kind: a million rows. */
const maxBatches = 200;

/** Deletes finished work beyond its retention, in small statements; open work stays however old it is. */
export async function deleteOutdated(
  { db, clock, retention }: RetentionDeps,
  { size, batches } = { size: batchSize, batches: maxBatches },
): Promise<Deleted> {
  const before = (days: number): Date => sydneyTime(addDays(today(clock), -days), '00:00');
  const statements: Record<keyof Retention, (end: Date) => Promise<{ count: number }>> = {
    mails: (end) => db`
      delete from mails where ctid = any(array(select ctid from mails
        where queued_at < ${end} and (given_up_at is not null or (sent_at is not null and not exists (
          select from supporters where supporters.supporter_id = mails.supporter_id and ${isCounted(db)})))
        limit ${size}))`,
    notifications: (end) => db`
      delete from notifications where ctid = any(array(select ctid from notifications
        where received_at < ${end} and handled_at is not null limit ${size}))`,
    timetableRuns: (end) => db`
      delete from timetable_runs where ctid = any(array(select ctid from timetable_runs where due_at < ${end} limit ${size}))`,
  };
  const deleted: Deleted = { mails: 0, notifications: 0, timetableRuns: 0, isLimited: false };
  for (const kind of ['mails', 'notifications', 'timetableRuns'] as const) {
    const end = before(retention[kind]);
    let count = size;
    for (let batch = 0; batch < batches && count === size; batch += 1) {
      ({ count } = await statements[kind](end));
      deleted[kind] += count;
    }
    deleted.isLimited ||= count === size;
  }
  return deleted;
}
