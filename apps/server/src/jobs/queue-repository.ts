import type { Db as Sender } from 'pg-boss';
import type { Db } from '#db/connect.ts';
import type { Waiting } from '#db/due-work.ts';
import type { Reading } from '#telemetry/metrics.ts';

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
export async function dropRepeated(db: Db): Promise<void> {
  await db`
    delete from pgboss.job where name = ${deadLetterQueue} and id in (
      select id from (
        select id, row_number() over (partition by source_name, coalesce(singleton_key, ${everything}) order by created_on, id) as place
        from pgboss.job where name = ${deadLetterQueue}
      ) ranked where place > 1)`;
}

export interface DeadWork {
  id: string;
  queue: string | null;
  key: string;
  data: object | null;
}

/** Lists the work of dead letters, the oldest first. */
export const listDeadWork = (db: Db, ids: string[]) => db<DeadWork[]>`
  select id, source_name as queue, coalesce(singleton_key, ${everything}) as key, data from pgboss.job
  where name = ${deadLetterQueue} and id = any(${ids}::uuid[]) order by created_on, id`;

export interface FailingQueue {
  queue: string;
  /** True where its jobs are tried again. */
  isRetried: boolean;
  jobs: number;
  since: Date;
  lastDay: string;
  error: string | null;
}

/**
 * Counts by queue the dead letters older than ten minutes, and jobs that failed at least `retries` times and are tried again. A later
 * job that did the work has deleted its own dead letter.
 */
export const listFailing = (db: Db, retries: number) => db<FailingQueue[]>`
  select queue, "isRetried", count(*)::int as jobs, min(created_on) as since,
    to_char(max(created_on) at time zone 'Australia/Sydney', 'YYYY-MM-DD') as "lastDay",
    (array_agg(coalesce(output ->> 'message', output #>> '{value,message}') order by created_on desc))[1] as error
  from (
    select coalesce(source_name, 'unknown') as queue, false as "isRetried", created_on, source_output as output
    from pgboss.job where name = ${deadLetterQueue} and created_on < now() - interval '10 minutes'
    union all
    select name, true, created_on, output from pgboss.job
    where state = 'retry' and retry_count >= ${retries} and name !~ '^__'
  ) failing
  group by 1, 2 order by 1, 2`;

/** Lists the queues with their jobs that are due by the time of the database, which jobs run by. */
export async function listJobQueues(db: Db, now: Date): Promise<Waiting[]> {
  if (!(await hasQueues(db))) return [];
  return db<Waiting[]>`
    select queue.name, count(job.id)::int as waiting, least(min(start_after), ${now}) as "oldestAt"
    from pgboss.queue left join pgboss.job on job.name = queue.name and job.state in ('created', 'retry') and start_after <= now()
    where queue.name <> ${deadLetterQueue} and queue.name !~ '^__' group by queue.name order by queue.name`;
}

const isDue = (db: Db) => db`state < 'active' and start_after <= now() and name <> ${deadLetterQueue}`;

/** Reads by queue for how many seconds the oldest job that is due has been waiting. */
export const readSecondsWaited = (db: Db) => db<Reading[]>`
  select name, extract(epoch from now() - min(start_after))::float8 as value from pgboss.job
  where ${isDue(db)} group by name`;

/** Counts by queue the jobs that are due. */
export const countDue = (db: Db) => db<Reading[]>`
  select name, count(*)::int as value from pgboss.job where ${isDue(db)} group by name`;

/** Counts dead letters by the queue they failed in. */
export const countDeadLettersByQueue = (db: Db) => db<Reading[]>`
  select coalesce(source_name, 'unknown') as name, count(*)::int as value from pgboss.job
  where name = ${deadLetterQueue} group by 1`;

/** Returns whether an earlier job of a key waits for its retry in a `stately` queue. */
export async function isRetryWaiting(sender: Sender, queue: string, key: string | null): Promise<boolean> {
  const { rows } = await sender.executeSql(
    `select from pgboss.job
    where name = $1 and state = 'retry' and policy = 'stately' and coalesce(singleton_key, '') = $2`,
    [queue, key ?? ''],
  );
  return rows.length > 0;
}

/** Drops a queue's dead letters whose work a job has done that was started after they had failed. */
export async function dropDone(
  sender: Sender,
  queue: string,
  done: { key: string | null; startedOn: Date }[],
): Promise<void> {
  await sender.executeSql(
    `delete from pgboss.job dead using unnest($3::text[], $4::timestamptz[]) as done(key, started)
    where dead.name = $1 and dead.source_name = $2 and coalesce(dead.singleton_key, '${everything}') = done.key and dead.created_on < done.started`,
    [deadLetterQueue, queue, done.map(({ key }) => key ?? everything), done.map(({ startedOn }) => startedOn)],
  );
}
