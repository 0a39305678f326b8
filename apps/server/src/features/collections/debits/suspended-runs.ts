import type { Cents, IsoDate } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import { Conflict } from '#errors.ts';
import type { Clock } from '#ports/clock.ts';
import type { Debit } from './debit-repository.ts';

/** Separates reasons. */
const also = '; also: ';
/** Precedes the reason of an operator who leaves debiting suspended. */
const stopped = '; stopped: ';

/**
 * Suspends all debiting until an operator has reviewed it (docs/rules.md#return-code-8), and records the suspension
 * with the run that caused it. A further cause is recorded beside the others, and is later than any review: resuming
 * for the earlier causes does not lift it. Any other cause replaces an anomaly, which a confirmation would lift: the
 * next plan finds the anomaly again.
 */
export async function suspendRuns(
  db: Db,
  clock: Clock,
  { runDate }: Pick<Debit, 'runDate'>,
  because: string,
  anomalyCents: Cents | null = null,
): Promise<void> {
  const causes = db`split_part(run.suspended_because, ${stopped}, 1)`;
  const isFurther = db`(run.suspended_at is not null and run.resumed_at is null and not run.is_anomaly and not excluded.is_anomaly)`;
  await db`
    insert into debit_runs as run (run_date, suspended_at, suspended_because, is_anomaly, anomaly_cents)
    values (${runDate}, ${clock.now()}, ${because}, ${anomalyCents !== null}, ${anomalyCents})
    on conflict (run_date) do update set suspended_at = excluded.suspended_at,
      suspended_because = case when ${isFurther} then ${causes} || ${also} || excluded.suspended_because
        || substr(run.suspended_because, length(${causes}) + 1) else excluded.suspended_because end,
      is_anomaly = excluded.is_anomaly, anomaly_cents = excluded.anomaly_cents, resumed_at = null,
      confirmed_at = case when not excluded.is_anomaly then run.confirmed_at end -- what was confirmed did not cover it
    where run.suspended_at is null or run.resumed_at is not null or (run.is_anomaly and not excluded.is_anomaly)
      or (${isFurther} and excluded.suspended_because <> all(string_to_array(${causes}, ${also})))`;
}

export interface Suspension {
  date: IsoDate;
  since: Date;
  because: string;
  isAnomaly: boolean;
  /** Amount of the unusual run. */
  cents: Cents | null;
}

/** Returns the first suspension that is still in force. */
export async function findSuspension(db: Db): Promise<Suspension | undefined> {
  const [suspension] = await db<Suspension[]>`
    select run_date as date, suspended_at as since, suspended_because as because, is_anomaly as "isAnomaly",
      anomaly_cents as cents from debit_runs
    where suspended_at is not null and resumed_at is null order by run_date limit 1`;
  return suspension;
}

/** Records why an operator leaves debiting suspended; a later reason replaces an earlier one. */
export async function stopSuspendedRun(db: Db, because: string): Promise<void> {
  const kept = await db`
    update debit_runs set suspended_because = split_part(suspended_because, ${stopped}, 1) || ${stopped + because}
    where suspended_at is not null and resumed_at is null`;
  if (kept.count === 0) throw new Conflict('Debiting is not suspended any more.');
}

/** Throws Conflict while debiting is suspended. */
export async function refuseWhileSuspended(db: Db): Promise<void> {
  const suspension = await findSuspension(db);
  if (!suspension) return;
  const remedy = suspension.isAnomaly
    ? 'Its plan shows who would be debited; once it is confirmed, it runs.'
    : 'Once that is fixed, a forced run resumes debiting.';
  throw new Conflict(`Debiting is suspended since the run of ${suspension.date}: ${suspension.because}. ${remedy}`);
}

/** Returns when the latest suspension in force began; null if there is none. */
export async function lastSuspendedAt(db: Db): Promise<Date | null> {
  const [last] = await db<{ at: Date | null }[]>`
    select max(suspended_at) as at from debit_runs where suspended_at is not null and resumed_at is null`;
  return last?.at ?? null;
}

/**
 * Ends every suspension, or those for anomalies alone, after an operator's review: with `upTo` none later than that,
 * and with null none at all.
 */
export async function resumeRuns(
  db: Db,
  clock: Clock,
  which: 'all' | 'anomalies' = 'all',
  upTo?: Date | null,
): Promise<void> {
  if (upTo === null) return;
  await db`
    update debit_runs set resumed_at = ${clock.now()}
    where suspended_at is not null and resumed_at is null and (is_anomaly or ${which === 'all'})
      and suspended_at <= ${upTo ?? clock.now()}`;
}
