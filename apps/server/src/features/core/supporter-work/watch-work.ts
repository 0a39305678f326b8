import { sydneyDateTime, sydneyDay } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import type { Db, Pool } from '#db/connect.ts';
import { startAgain } from '#db/due-work.ts';
import { inEachBucket, rowsOf, sumsOf } from '#db/in-each-bucket.ts';
import { type AlarmDeps, raiseAlarm } from '#features/core/alarms/alarms.ts';
import { findOpenBreaker } from '#features/core/breakers/provider-breakers.ts';
import { dueWork, momentAfter, type WorkKind } from './work-repository.ts';

export interface FailingWork {
  kind: WorkKind;
  /** Supporters with work due within two days; counted up to one more than twenty for each failing. */
  supporters: number;
  failing: number;
  parked: number;
  since: Date;
}

/** Supporters in no pass any more, as after leaving or pausing, drop out. */
const isRecent = (db: Db, now: Date) => db`due_at > ${now}::timestamptz - interval '2 days'`;

/** Counts supporters whose work fails, by kind; kinds without failures are left out. */
export async function countFailing(pool: Pool, now: Date): Promise<Omit<FailingWork, 'supporters'>[]> {
  const failing = await rowsOf(
    pool.inBuckets(),
    (db) => db<Omit<FailingWork, 'supporters'>[]>`
    select kind, count(*)::int as failing, count(parked_at)::int as parked, min(failing_since) as since
    from supporter_work where tries > 0 and ${isRecent(db, now)} group by kind`,
  );
  const byKind = [...Map.groupBy(failing, ({ kind }) => kind)].sort(([one], [other]) => one.localeCompare(other));
  return byKind.map(([kind, rows]) => ({
    kind,
    ...sumsOf(rows.map(({ failing, parked }) => ({ failing, parked }))),
    since: new Date(Math.min(...rows.map(({ since }) => since.getTime()))),
  }));
}

/** Supporters per failing one; up to this number, more than 5 % fail. */
const supportersForOne = 20;
const maxSupporters = (failing: number) => failing * supportersForOne + 1;

/** Counts supporters whose work fails, by kind, and those with recent work; kinds without failures are left out. */
export async function listFailingWork(pool: Pool, now: Date): Promise<FailingWork[]> {
  const counted = (await countFailing(pool, now)).map(async (failed) => ({
    ...failed,
    supporters: await countRecent(pool, failed.kind, now, maxSupporters(failed.failing)),
  }));
  return Promise.all(counted);
}

async function countRecent(pool: Pool, kind: WorkKind, now: Date, limit: number): Promise<number> {
  const count = (db: Db) => db<{ supporters: number }[]>`
    select count(*)::int as supporters from (
      select from supporter_work where kind = ${kind} and ${isRecent(db, now)} limit ${limit}
    ) as recent`;
  return Math.min(sumsOf(await rowsOf(pool.inBuckets(), count)).supporters, limit);
}

/**
 * Returns the number of supporters that failures are counted against: "40" or, if the count was cut off, "more than
 * 40".
 */
export const supportersInWords = ({ supporters, failing }: Pick<FailingWork, 'supporters' | 'failing'>): string =>
  supporters < maxSupporters(failing) ? String(supporters) : `more than ${supporters - 1}`;

/** Counts supporters with work due within two days, by kind: this is slow, and changes slowly. */
export async function countSupporters(pool: Pool, now: Date): Promise<Map<WorkKind, number>> {
  const count = (db: Db) => db<{ kind: WorkKind; supporters: number }[]>`
    select kind, count(*)::int as supporters from supporter_work where ${isRecent(db, now)} group by kind`;
  const byKind = Map.groupBy(await rowsOf(pool.inBuckets(), count), ({ kind }) => kind);
  return new Map(
    [...byKind].map(([kind, rows]) => [kind, sumsOf(rows.map(({ supporters }) => ({ supporters }))).supporters]),
  );
}

export interface ParkedWork {
  supporterId: string;
  kind: WorkKind;
  failingSince: Date;
  lastError: string | null;
}

const isParked = (db: Db, now: Date) => db`tries > 0 and parked_at is not null and ${isRecent(db, now)}`;

/**
 * Lists supporters whose work is tried only with each pass, longest failing first: from the start, or after a given
 * one.
 */
export async function listParkedWork(
  pool: Pool,
  now: Date,
  limit: number,
  after?: { failingSince: Date; supporterId: string; kind: string },
): Promise<ParkedWork[]> {
  const { failingSince = null, supporterId = null, kind = null } = after ?? {};
  const parked = await rowsOf(
    pool.inBuckets(),
    (db) => db<ParkedWork[]>`
    select supporter_id as "supporterId", kind, failing_since as "failingSince", last_error as "lastError"
    from supporter_work where ${isParked(db, now)} and (${failingSince}::timestamptz is null
      or (failing_since, supporter_id, kind) > (${failingSince}::timestamptz, ${supporterId}::uuid, ${kind}::text))
    order by failing_since, supporter_id, kind limit ${limit}`,
  );
  const place = (one: ParkedWork) => `${one.failingSince.toISOString()} ${one.supporterId} ${one.kind}`;
  return parked.sort((one, other) => (place(one) < place(other) ? -1 : 1)).slice(0, limit);
}

/** Makes parked work due now, for one supporter and kind or all of it; returns how much. */
export async function retryParkedWork(
  pool: Pool,
  now: Date,
  { supporterId, kind }: { supporterId?: string | undefined; kind?: WorkKind | undefined } = {},
): Promise<number> {
  const retried = await inEachBucket(
    pool,
    (db) => db`
    update supporter_work set due_at = greatest(${now}, ${momentAfter(db, 'due_at')}), next_try_at = least(next_try_at, ${now})
    where ${isParked(db, now)} and (${supporterId ?? null}::uuid is null or supporter_id = ${supporterId ?? null})
      and (${kind ?? null}::text is null or kind = ${kind ?? null})`,
  );
  return retried.reduce((sum, { count }) => sum + count, 0);
}

/** Forgets parked work until its next pass, even while a worker has it in hand; returns false if it is not parked. */
export async function dropParkedWork(pool: Pool, now: Date, supporterId: string, kind: WorkKind): Promise<boolean> {
  const db = pool.of(supporterId);
  const { count } = await db`
    update supporter_work set ${startAgain(db, dueWork, null)}
    where ${isParked(db, now)} and supporter_id = ${supporterId} and kind = ${kind}`;
  return count > 0;
}

/** Returns true for more than 5 %; two failures among a handful of supporters prove nothing about the bank link. */
export const hasFailedTooOften = ({ supporters, failing }: Pick<FailingWork, 'supporters' | 'failing'>): boolean =>
  supporters < failing * supportersForOne && (failing > 2 || failing === supporters);

const names = {
  sync: 'fetching transactions',
  consent_poll: 'looking at consents',
} satisfies Record<WorkKind, string>;

/** Time after which due work that was never tried cannot be a long pass: workers fail, or are too few. */
const lateAfterMs = 2 * 3_600_000;

/** Finds when the longest-waiting untried work fell due. */
export async function findOldestUntried(pool: Pool, now: Date): Promise<Date | undefined> {
  const oldest = (db: Db) => db<{ since: Date }[]>`
    select next_try_at as since from supporter_work where next_try_at <= ${now} and tries = 0 order by next_try_at limit 1`;
  const [first] = (await rowsOf(pool.inBuckets(), oldest)).sort(
    (one, other) => Number(one.since) - Number(other.since),
  );
  return first?.since;
}

/** Finds since when late work has been due. */
export async function findLateWork(pool: Pool, now: Date): Promise<Date | undefined> {
  const since = await findOldestUntried(pool, now);
  return since && now.getTime() - since.getTime() > lateAfterMs ? since : undefined;
}

/** Time after which an open breaker is more than a short pause of the provider's. */
const pauseMs = 300_000;

/**
 * Raises an alarm, once a day, if the bank link fails for too many supporters or for one of them all day, or if due
 * work is not done.
 */
export async function watchWork(deps: Pick<AlarmDeps, 'db' | 'clock' | 'log'>): Promise<void> {
  const { db, clock } = deps;
  const now = clock.now();
  const day = sydneyDay(now);
  for (const failed of await listFailingWork(db, now)) {
    const { kind, supporters, failing, parked, since } = failed;
    const about = `${kind} ${day}`;
    if (hasFailedTooOften(failed)) {
      const sentence = `The bank link has not answered for ${failing} of ${supporters} supporters while ${names[kind]}, the first on ${sydneyDateTime(since)} Sydney time. They are retried at least every hour; debit runs use the data already here.`;
      await raiseAlarm(deps, { name: 'bank_link_failing', about, sentence });
    }
    if (parked > 0) {
      const sentence = `For a day ${names[kind]} has failed for ${counted(parked, 'supporter')}; it is retried with each pass.`;
      await raiseAlarm(deps, {
        name: 'supporter_work_parked',
        about,
        sentence,
        see: { page: 'Jobs', command: 'status' },
      });
    }
  }
  const breaker = await findOpenBreaker(db, 'bank_link');
  const lateSince = breaker ? undefined : await findLateWork(db, now);
  if (lateSince) {
    const sentence = `Supporters' work that was due on ${sydneyDateTime(lateSince)} Sydney time has not started: the workers are failing (see their log) or there are too few of them.`;
    await raiseAlarm(deps, { name: 'supporter_work_late', about: day, sentence });
  }
  if (!breaker || now.getTime() - breaker.openedAt.getTime() < pauseMs) return;
  const sentence = `The bank link has not answered since ${sydneyDateTime(breaker.openedAt)} Sydney time. It is asked about one supporter at a time until it does; debit runs use the data already here.`;
  await raiseAlarm(deps, { name: 'bank_link_failing', about: `everybody ${breaker.openedAt.toISOString()}`, sentence });
}
