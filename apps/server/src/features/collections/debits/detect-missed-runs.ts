import { addDays, type IsoDate, sydneyTime } from '@sparechange/domain';
import { debitRunTime } from '@sparechange/domain/banking-calendar';
import { lastRunThatMustBeDone, mayBeUnderWay } from '@sparechange/domain/timetable';
import type { Db } from '#db/connect.ts';
import { inTurn, rowsOf } from '#db/in-each-bucket.ts';
import { type AlarmDeps, raiseAlarm } from '#features/core/alarms/alarms.ts';
import { isBeingSubmitted } from '#features/core/submission/submit-payments.ts';
import { type Clock, today } from '#ports/clock.ts';
import { causesInWords, countOfRuns, isAlarming, listRefusedRuns } from './record-refusal.ts';
import { findSuspension } from './suspended-runs.ts';

/**
 * Finds the day of the last debit run that should have happened and did not: unfinished an hour after its time, or five
 * hours once it is planned and being submitted, although the product was running by then. A run that an operator made
 * by hand counts as having happened.
 */
export async function missedRun(db: Db, clock: Clock): Promise<IsoDate | undefined> {
  const now = clock.now();
  const day = lastRunThatMustBeDone(now);
  const [state] = await db<{ missed: boolean }[]>`
    select exists (select from timetable_runs where due_at <= ${sydneyTime(day, debitRunTime)})
      and not exists (select from debit_runs where run_date = ${day} and (finished_at is not null
        or planned_at is not null and ${mayBeUnderWay(day, now)} and ${isBeingSubmitted(db, 'debits')})) as missed`;
  return state?.missed ? day : undefined;
}

type WatchDeps = Pick<AlarmDeps, 'db' | 'clock' | 'log'>;

/** Days during which a run's refusals still raise an alarm. */
const newsForDays = 3;

async function watchRefusals(deps: WatchDeps): Promise<void> {
  for (const run of await listRefusedRuns(deps.db, addDays(today(deps.clock), -newsForDays))) {
    if (!isAlarming(run)) continue;
    const { date, refused, debits, causes } = run;
    const sentence = `The provider refuses debits: ${refused} of ${debits} of ${date} so far (${causesInWords(causes)}).`;
    await raiseAlarm(deps, { name: 'debits_refused', about: date, sentence, see: { page: 'Payments' } });
  }
}

/** Raises an alarm for each run with most balances unreadable: its debits wait for the next run. */
async function watchBalances(deps: WatchDeps): Promise<void> {
  const since = addDays(today(deps.clock), -newsForDays);
  const found = await rowsOf(
    deps.db.inBuckets(),
    (bucket) => bucket<{ date: IsoDate; unread: number }[]>`
      select run_date as date, count(*) as unread from debits
      where deferred_because = 'not readable' and run_date >= ${since} and kind = 'round-up' group by run_date order by run_date`,
  );
  const debitsOf = await countOfRuns(deps.db, [...new Set(found.map(({ date }) => date))]);
  for (const [date, parts] of Map.groupBy(found, (part) => part.date)) {
    const unread = parts.reduce((sum, part) => sum + part.unread, 0);
    const debits = Math.max(debitsOf.get(date) ?? 0, unread);
    if (2 * unread <= debits) continue;
    const sentence = `The balances of ${unread} of ${debits} debits of ${date} could not be read: the bank link did not answer. They go with the next run.`;
    await raiseAlarm(deps, { name: 'balances_unreadable', about: date, sentence });
  }
}

const seeRuns = { page: 'Runs', command: 'debit-run --plan' } as const;

/** Raises an alarm for a suspension, or else for a run that was due and has not happened. */
async function watchSuspension(deps: WatchDeps): Promise<void> {
  const suspension = await findSuspension(deps.db);
  if (suspension) {
    const { date, since, because } = suspension;
    const sentence = `Debiting is suspended since the run of ${date}: ${because}. Nothing is debited until an operator has reviewed it.`;
    const about = `${date} ${since.toISOString()}`;
    return raiseAlarm(deps, { name: 'debiting_suspended', about, sentence, see: seeRuns });
  }
  const missed = await missedRun(deps.db, deps.clock);
  if (!missed) return;
  const sentence = `The debit run of ${missed} was due and has not been finished. It is retried every minute until midnight; after that the next run includes everything.`;
  return raiseAlarm(deps, { name: 'debit_run_missed', about: missed, sentence, see: seeRuns });
}

/** Raises alarms for everything that prevents debits; a failing bucket does not hide alarms found in control. */
export const watchRuns = async (deps: WatchDeps): Promise<void> =>
  void (await inTurn([watchSuspension, watchRefusals, watchBalances], (look) => look(deps)));
