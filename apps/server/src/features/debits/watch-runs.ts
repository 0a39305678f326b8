import { type IsoDate, sydneyTime } from '@sparechange/domain';
import { debitRunTime } from '@sparechange/domain/banking-calendar';
import { lastDueDebitRun } from '@sparechange/domain/timetable';
import type { Db } from '#db/connect.ts';
import { type AlarmDeps, raiseAlarm } from '#features/alarms/alarms.ts';
import type { Clock } from '#ports/clock.ts';
import { findHalt } from './halted-runs.ts';

/**
 * The day of the last debit run that should have happened and did not: it was not finished an hour after its time,
 * although the product was there by then. A run that an operator made by hand has happened as well.
 */
export async function missedRun(db: Db, clock: Clock): Promise<IsoDate | undefined> {
  const day = lastDueDebitRun(clock.now());
  const [state] = await db<{ missed: boolean }[]>`
    select exists (select from timetable_runs where due_at <= ${sydneyTime(day, debitRunTime)})
      and not exists (select from debit_runs where run_date = ${day} and finished_at is not null) as missed`;
  return state?.missed ? day : undefined;
}

/** Raises an alarm for a halt, and for a run that was due and has not happened for another reason. */
export async function watchRuns(deps: Pick<AlarmDeps, 'db' | 'clock' | 'log'>): Promise<void> {
  const halt = await findHalt(deps.db);
  if (halt) {
    const { date, since, because } = halt;
    const sentence = `Debiting is halted since the run of ${date}: ${because}. Nothing is debited until an operator has looked.`;
    return raiseAlarm(deps, { name: 'debiting halted', about: `${date} ${since.toISOString()}`, sentence });
  }
  const missed = await missedRun(deps.db, deps.clock);
  if (!missed) return;
  const sentence = `The debit run of ${missed} was due and has not been finished. Until midnight it is tried again each minute; after that the next run takes everything along.`;
  return raiseAlarm(deps, { name: 'debit run missed', about: missed, sentence });
}
