import { addDays, type IsoDate, sydneyTime } from '@sparechange/domain';
import { debitRunTime, upcomingDebitDay } from '@sparechange/domain/banking-calendar';
import type { Pool } from '#db/connect.ts';
import { listRuns, stateOfRun } from '#features/collections/debits/list-runs.ts';
import {
  listCameBack,
  listRunOutcomes,
  progressOf,
  type RunProgress,
} from '#features/collections/debits/run-progress.ts';
import type { Decisions } from '#features/core/approvals/approved-acts.ts';
import { today } from '#ports/clock.ts';
import type { Surroundings } from './condition.ts';
import { answeringOf, situationForToday } from './situation.ts';

export interface TodayDeps
  extends Pick<Surroundings, 'db' | 'clock' | 'tenants' | 'needs' | 'countFailedJobs' | 'bankFiles'> {
  acts: Pick<Decisions, 'peopleRule'>;
}

/**
 * Counts a run's debits; a result is reused for twenty times as long as it took, so that a large run does not load the
 * server.
 */
function runCounter() {
  let known: { date: IsoDate; progress: RunProgress; until: number } | undefined;
  return async (db: Pool, date: IsoDate): Promise<RunProgress> => {
    const now = performance.now();
    if (known?.date === date && now < known.until) return known.progress;
    const progress = progressOf(await listRunOutcomes(db, date));
    known = { date, progress, until: now + 21 * (performance.now() - now) };
    return progress;
  };
}

async function lastRun(db: Pool, day: IsoDate, count: ReturnType<typeof runCounter>) {
  const [run] = await listRuns(db, addDays(day, 1), 1);
  if (!run) return null;
  const progress = await count(db, run.date);
  return { date: run.date, state: stateOfRun(run, progress), progress };
}

/** Returns a function that reads the day at a glance, without persons, and without the supporters of silent nodes. */
export function todayReader(deps: TodayDeps) {
  const count = runCounter();
  return () => readToday(deps, count);
}

async function readToday({ acts, countFailedJobs, ...deps }: TodayDeps, count: ReturnType<typeof runCounter>) {
  const seen = await answeringOf(deps);
  const { db, clock } = seen;
  const day = today(clock);
  return {
    day,
    nextRunAt: sydneyTime(upcomingDebitDay(clock.now()), debitRunTime),
    lastRun: await lastRun(db, day, count),
    cameBack: await listCameBack(db, sydneyTime(day, '00:00')),
    ...(await situationForToday({ ...seen, countFailedJobs, peopleRule: acts.peopleRule })),
  };
}
