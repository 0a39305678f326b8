import type { RunState } from '@sparechange/contract/console';
import { type Cents, type IsoDate, isoDate } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import type { RunProgress } from './run-progress.ts';

/** A past or present debit run. */
export interface Run {
  date: IsoDate;
  /** Time of first planning; planning again does not change it. */
  plannedAt: Date | null;
  finishedAt: Date | null;
  confirmedAt: Date | null;
  suspendedAt: Date | null;
  suspendedBecause: string | null;
  isAnomaly: boolean;
  resumedAt: Date | null;
  debits: number;
  cents: Cents;
}

const columns = (db: Db) => db`
  run_date as date, coalesce(first_planned_at, planned_at) as "plannedAt", finished_at as "finishedAt", confirmed_at as "confirmedAt",
  suspended_at as "suspendedAt", suspended_because as "suspendedBecause", is_anomaly as "isAnomaly",
  resumed_at as "resumedAt", debits, cents`;

/** Lists runs before a day, newest first. */
export const listRuns = (db: Db, before: IsoDate, limit: number) => db<Run[]>`
  select ${columns(db)} from debit_runs where run_date < ${before} order by run_date desc limit ${limit}`;

export const endOfTime = isoDate('9999-12-31');

export async function findRun(db: Db, date: IsoDate): Promise<Run | undefined> {
  const [run] = await db<Run[]>`select ${columns(db)} from debit_runs where run_date = ${date}`;
  return run;
}

/**
 * Returns a run's progress: a fully sent run stays so even if one of its debits suspends later runs, and is complete
 * once every debit has cleared or been returned.
 */
export function stateOfRun(run: Run, progress: RunProgress | null): RunState {
  const { plannedAt, suspendedAt, resumedAt, finishedAt, isAnomaly } = run;
  if (suspendedAt && !resumedAt && (isAnomaly || !finishedAt)) return 'suspended';
  if (!progress) return finishedAt ? 'finished' : 'running';
  const { planned, submitting, submitted, cleared, failed } = progress;
  const sent = submitting.debits + submitted.debits + cleared.debits + failed.debits;
  if (!finishedAt) return plannedAt && sent === 0 ? 'planned' : 'running';
  if (planned.debits + submitting.debits + submitted.debits > 0) return 'waiting';
  return failed.debits > 0 ? 'complete_with_returns' : 'complete';
}
