import { debitRunTime, isBankingDay, isDebitDay } from './banking-calendar.ts';
import { addDays, type IsoDate, sydneyDay, sydneyTime } from './days.ts';

export type TimetableTask =
  | 'retention'
  | 'consent-poll'
  | 'end-pauses'
  | 'consent-run'
  | 'sync'
  | 'mandate-poll'
  | 'settle'
  | 'debit-run'
  | 'remit'
  | 'savings-run'
  | 'debit-notice'
  | 'onboarding-reminder'
  | 'audit'
  | 'reconcile';

export interface DueTask {
  task: TimetableTask;
  dueAt: Date;
}

/** Answered by a task that is not over: it is called again the next time. */
export const notYet = Symbol('not yet');

/** Returns true for tasks that later ones need. */
export const blocksTheRest = (task: TimetableTask): boolean =>
  ['consent-poll', 'end-pauses', 'consent-run', 'sync', 'settle'].includes(task);

/**
 * Tasks of one group are done one after another, beside those of the others: a debit run starts at its hour, however long
 * the provider's lists or the books take.
 */
export const taskGroups = ['runs', 'settlement', 'books'] as const;
export type TaskGroup = (typeof taskGroups)[number];

const besideRuns: Partial<Record<TimetableTask, TaskGroup>> = {
  audit: 'books',
  reconcile: 'books',
  retention: 'books',
  'mandate-poll': 'settlement',
  settle: 'settlement',
  remit: 'settlement',
  'savings-run': 'settlement',
};

export const groupOf = (task: TimetableTask): TaskGroup => besideRuns[task] ?? 'runs';

/**
 * Returns the tasks of a Sydney day in order. The day before is audited first; pauses end and consents are checked
 * before data are fetched; outcomes, purchases and cancelled mandates are asked for in time to be known before a run debits.
 */
export function timetableOf(day: IsoDate): DueTask[] {
  const tasks: [TimetableTask, `${number}:${number}`, boolean][] = [
    ['audit', '01:00', true],
    ['reconcile', '01:30', true],
    ['retention', '01:45', true],
    ['consent-poll', '03:00', true],
    ['end-pauses', '03:30', true],
    ['consent-run', '03:45', true],
    ['sync', '04:00', true],
    ['mandate-poll', '05:15', true],
    ['settle', '05:30', isBankingDay(day)],
    ['debit-run', debitRunTime, isDebitDay(day)],
    ['remit', '10:00', isBankingDay(day)],
    ['savings-run', '10:30', isBankingDay(day)],
    ['settle', '12:00', isBankingDay(day)],
    ['debit-notice', '18:00', isDebitDay(addDays(day, 1))],
    ['onboarding-reminder', '18:30', true],
    ['settle', '19:00', isBankingDay(day)],
    ['sync', '20:00', true],
  ];
  return tasks.filter(([, , applies]) => applies).map(([task, time]) => ({ task, dueAt: sydneyTime(day, time) }));
}

/**
 * Returns true for tasks that make up on a day for their last time: those that the day has anyway. A debit run is made again
 * by its date, and notices of a run that is over help nobody.
 */
export const makesUpOn = (day: IsoDate, task: TimetableTask): boolean =>
  task !== 'debit-run' && task !== 'debit-notice' && timetableOf(day).some((due) => due.task === task);

/** Returns true for a time of a task that is not its last of the day. */
export const comesAgain = ({ task, dueAt }: DueTask): boolean =>
  timetableOf(sydneyDay(dueAt)).some((other) => other.task === task && other.dueAt > dueAt);

/** Time for a debit run, retries of earlier tasks included. */
const debitRunTakesMs = 3_600_000;

/** Time for a large debit run under way. */
const debitRunMayTakeMs = 5 * 3_600_000;

/** Returns true until a run of that day is late even if it is under way. */
export const mayBeUnderWay = (day: IsoDate, now: Date): boolean =>
  now.getTime() < sydneyTime(day, debitRunTime).getTime() + debitRunMayTakeMs;

/** The day of the last debit run that must have happened by now: an hour after its time. */
export function lastRunThatMustBeDone(now: Date): IsoDate {
  let day = sydneyDay(now);
  while (!isDebitDay(day) || sydneyTime(day, debitRunTime).getTime() + debitRunTakesMs > now.getTime())
    day = addDays(day, -1);
  return day;
}
