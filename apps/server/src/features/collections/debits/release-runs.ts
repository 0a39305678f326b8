import type { Cents, IsoDate, SkipReason } from '@sparechange/domain';
import { sumOfRuns } from '@sparechange/domain/run-anomaly';
import type { Db, Pool } from '#db/connect.ts';
import { rowsOf } from '#db/in-each-bucket.ts';
import { isSubmissionShared } from '#features/core/submission/submit-payments.ts';
import type { Debit } from './debit-repository.ts';
import { countPlanned, type RunPart } from './plan-bucket.ts';

/** Records the intent to plan a run; returns the highest amount that operators have confirmed for it, or null. */
export async function beginRun(db: Db, date: IsoDate, now: Date, confirmed: Cents | null): Promise<Cents | null> {
  const [run] = await db<{ confirmed: Cents | null }[]>`
    insert into debit_runs as run (run_date, confirmed_at, confirmed_cents)
    values (${date}, ${confirmed === null ? null : now}, ${confirmed})
    on conflict (run_date) do update set confirmed_at = coalesce(run.confirmed_at, excluded.confirmed_at),
      confirmed_cents = greatest(run.confirmed_cents, excluded.confirmed_cents)
    returning confirmed_cents as confirmed`;
  return run?.confirmed ?? null;
}

/** A run with its debits in every bucket. */
export interface PlannedRun {
  date: IsoDate;
  parts: RunPart[];
}

/**
 * Lists the debits of earlier runs interrupted between buckets: they are compared with the next run, and released with
 * it. An unusual run keeps its debits until an operator confirms it.
 */
export async function listUnfinished(pool: Pool, before: IsoDate): Promise<PlannedRun[]> {
  const runs = await pool<{ date: IsoDate }[]>`
    select run_date as date from debit_runs
    where run_date < ${before} and planned_at is null and not ${awaitsOperator(pool)}`;
  const unfinished: PlannedRun[] = [];
  for (const { date } of runs)
    unfinished.push({ date, parts: await rowsOf(pool.inBuckets(), (bucket) => countPlanned(bucket, date)) });
  return unfinished;
}

const awaitsOperator = (control: Db) => control`(is_anomaly and confirmed_at is null)`;

/** Lists the runs before a day whose debits wait for an operator to confirm them. */
export async function listHeldRuns(control: Db, before: IsoDate): Promise<IsoDate[]> {
  const runs = await control<{ date: IsoDate }[]>`
    select run_date as date from debit_runs
    where run_date < ${before} and planned_at is null and ${awaitsOperator(control)}`;
  return runs.map(({ date }) => date);
}

/**
 * Withdraws a run's release while it is planned again: nothing more of it is submitted until every bucket is planned.
 */
export const holdRun = (control: Db, date: IsoDate) => control`
  update debit_runs set first_planned_at = coalesce(first_planned_at, planned_at), planned_at = null, shared_since = null
  where run_date = ${date}`;

/** Returns since when a run's debits may be submitted; undefined until it is planned in every bucket. */
export async function findRelease(control: Db, date: IsoDate): Promise<Date | undefined> {
  const [run] = await control<{ plannedAt: Date | null }[]>`
    select planned_at as "plannedAt" from debit_runs where run_date = ${date}`;
  return run?.plannedAt ?? undefined;
}

/** Names the run that other workers help to submit while `submit`, a shared submission, runs. */
export async function sharingRun<Result>(
  control: Db,
  { date, now }: { date: IsoDate; now: Date },
  submit: () => Promise<Result>,
): Promise<Result> {
  await control`
    update debit_runs set shared_since = case when run_date = ${date} then ${now}::timestamptz end
    where run_date = ${date} or shared_since is not null`; // also one that a killed process left marked
  try {
    return await submit();
  } finally {
    await control`update debit_runs set shared_since = null where run_date = ${date}`;
  }
}

/** A debit run whose leader lets other workers submit, too. */
export interface SharedRun {
  date: IsoDate;
  sharedSince: Date;
}

/**
 * Finds the run whose leader shares its submission; none once the leader was killed, or while debiting is suspended.
 */
export async function findSharedRun(control: Db): Promise<SharedRun | undefined> {
  const [run] = await control<SharedRun[]>`
    select run_date as date, shared_since as "sharedSince" from debit_runs
    where shared_since is not null and planned_at is not null and ${isSubmissionShared(control, 'debits')}
      and not exists (select from debit_runs where suspended_at is not null and resumed_at is null)
    order by run_date desc limit 1`;
  return run;
}

/** Releases a run that is planned in every bucket (docs/decisions/debit-run.md#planning-over-buckets). */
export async function releaseRun(control: Db, { date, parts }: PlannedRun, now: Date): Promise<void> {
  const { debits, cents } = sumOfRuns(parts);
  await control`
    update debit_runs set first_planned_at = coalesce(first_planned_at, planned_at, ${now}), planned_at = ${now},
      debits = ${debits}, cents = ${cents}
    where run_date = ${date}`;
}

export type LeftOut = Partial<Record<SkipReason, number>>;

/** Stores the number of supporters that a run's last plan left out, by reason, for later readers. */
export async function keepLeftOut(control: Db, date: IsoDate, skipped: LeftOut): Promise<void> {
  const { 'already planned': _hasDebit, ...leftOut } = skipped;
  await control`update debit_runs set left_out = ${control.json(leftOut)} where run_date = ${date}`;
}

/** Returns the number of supporters that a run left out, by reason; undefined if that was not stored. */
export async function findLeftOut(control: Db, date: IsoDate): Promise<LeftOut | undefined> {
  const [run] = await control<{ leftOut: LeftOut | null }[]>`
    select left_out as "leftOut" from debit_runs where run_date = ${date}`;
  return run?.leftOut ?? undefined;
}

/**
 * Leaves out planned debits of an unreleased run, for instance one being planned again. The debits were read first: a
 * run is recorded before any debit of it is planned, so that none of an unknown run gets through.
 */
export async function onlyReleased<Planned extends Pick<Debit, 'kind' | 'runDate'>>(
  control: Db,
  debits: Planned[],
): Promise<Planned[]> {
  const dates = new Set(debits.flatMap(({ kind, runDate }) => (kind === 'round-up' ? [runDate] : [])));
  if (dates.size === 0) return debits;
  const runs = await control<{ date: IsoDate }[]>`
    select run_date as date from debit_runs where run_date = any(${[...dates]}) and planned_at is null`;
  const unreleased = runs.map(({ date }) => date);
  return debits.filter(({ kind, runDate }) => kind === 'donation' || !unreleased.includes(runDate));
}
