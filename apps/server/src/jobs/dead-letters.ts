import { sydneyDateTime } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import type { Db } from '#db/connect.ts';
import { type AlarmDeps, raiseAlarm } from '#features/core/alarms/alarms.ts';

/** The queue of jobs that another queue gave up. */
export const deadLetterQueue = 'dead-letters';

/** Key of a job that is not about one supporter. Jobs of the timetable have a null key, which counts as this one. */
export const everything = 'all';

export interface DeadLetter {
  id: string;
  /** The queue in which it failed. */
  queue: string;
  /** Names the work: a supporter's id, or "all". */
  key: string;
  failedAt: Date;
  attempts: number;
  error: string | null;
}

/** Tells a database in which a worker has run from a new one, which has no queues. */
export async function hasQueues(db: Db): Promise<boolean> {
  const [found] = await db<{ exists: boolean }[]>`select to_regclass('pgboss.job') is not null as exists`;
  return found?.exists ?? false;
}

/** Lists the jobs that were given up, the newest first to the millisecond, after one of them or from the first. */
export async function listDeadLetters(
  db: Db,
  limit: number,
  after?: Pick<DeadLetter, 'failedAt' | 'id'>,
): Promise<DeadLetter[]> {
  if (!(await hasQueues(db))) return [];
  return db<DeadLetter[]>`
    select id, coalesce(source_name, 'unknown') as queue, coalesce(singleton_key, ${everything}) as key, created_on as "failedAt",
      coalesce(source_retry_count, 0) + 1 as attempts,
      coalesce(source_output ->> 'message', source_output #>> '{value,message}') as error
    from pgboss.job, date_trunc('milliseconds', created_on) as failed_at
    where name = ${deadLetterQueue}
      ${after ? db`and (failed_at, id) < (${after.failedAt}, ${after.id})` : db``}
    order by failed_at desc, id desc limit ${limit}`;
}

/** Counts jobs given up and not retried, dropped or done. */
export async function countDeadLetters(db: Db): Promise<number> {
  if (!(await hasQueues(db))) return 0;
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from pgboss.job where name = ${deadLetterQueue}`;
  return row?.count ?? 0;
}

/** Drops a dead letter; false if there is none. */
export async function dropDeadLetter(db: Db, id: string): Promise<boolean> {
  if (!(await hasQueues(db))) return false;
  const dropped = await db`delete from pgboss.job where name = ${deadLetterQueue} and id = ${id}`;
  return dropped.count > 0;
}

/** Keeps the first dead letter of each piece of work; later failures of the same work say nothing new. */
async function dropRepeated(db: Db): Promise<void> {
  await db`
    delete from pgboss.job where name = ${deadLetterQueue} and id in (
      select id from (
        select id, row_number() over (partition by source_name, coalesce(singleton_key, ${everything}) order by created_on, id) as place
        from pgboss.job where name = ${deadLetterQueue}
      ) ranked where place > 1)`;
}

interface FailingQueue {
  queue: string;
  /** True where its jobs are tried again. */
  isRetried: boolean;
  jobs: number;
  since: Date;
  lastDay: string;
  error: string | null;
}

/** Failures of a job after which it is alarmed though it is tried again: some ten minutes of them. */
const alarmedRetries = 7;

/**
 * Counts by queue the dead letters older than ten minutes, and jobs that have failed for as long and are tried again. A later job
 * that did the work has deleted its own dead letter (queues.ts).
 */
const listFailing = (db: Db) => db<FailingQueue[]>`
  select queue, "isRetried", count(*)::int as jobs, min(created_on) as since,
    to_char(max(created_on) at time zone 'Australia/Sydney', 'YYYY-MM-DD') as "lastDay",
    (array_agg(coalesce(output ->> 'message', output #>> '{value,message}') order by created_on desc))[1] as error
  from (
    select coalesce(source_name, 'unknown') as queue, false as "isRetried", created_on, source_output as output
    from pgboss.job where name = ${deadLetterQueue} and created_on < now() - interval '10 minutes'
    union all
    select name, true, created_on, output from pgboss.job
    where state = 'retry' and retry_count >= ${alarmedRetries} and name !~ '^__'
  ) failing
  group by 1, 2 order by 1, 2`;

/** Returns a sentence about a queue's failing jobs and whether they will be tried again. */
const failedInWords = ({ queue, isRetried, jobs, since }: FailingQueue): string =>
  isRetried
    ? `${counted(jobs, 'job')} of the queue ${queue} failed ${alarmedRetries} times or more, the oldest of ${sydneyDateTime(since)} Sydney time, and will be tried again`
    : `${counted(jobs, 'job')} of the queue ${queue} failed and will not be tried again, the first at ${sydneyDateTime(since)} Sydney time`;

/**
 * Raises an alarm for each queue and the day of its newest failing job. Work that keeps failing keeps its first dead
 * letter, and is alarmed once.
 */
export async function watchDeadLetters(deps: Pick<AlarmDeps, 'db' | 'clock' | 'log'>): Promise<void> {
  if (!(await hasQueues(deps.db))) return;
  await dropRepeated(deps.db);
  for (const failing of await listFailing(deps.db)) {
    const { queue, lastDay, error } = failing;
    await raiseAlarm(deps, {
      name: 'jobs_failed',
      about: `${queue} ${lastDay}`,
      sentence: `${failedInWords(failing)}; the error of the newest: ${error ?? 'unknown'}. Retry them once its cause is mended.`,
      see: { page: 'Jobs', command: 'jobs list' },
    });
  }
}
