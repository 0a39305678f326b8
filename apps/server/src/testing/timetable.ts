import { type IsoDate, isoDate, sydneyDateTime, sydneyDay } from '@sparechange/domain';
import { type TimetableTask, timetableOf } from '@sparechange/domain/timetable';

/** Returns the times of a task on a Sydney day, in order. Throws where the day has none. */
export function timesOf(task: TimetableTask, day: string): [first: Date, ...later: Date[]] {
  const [first, ...later] = timetableOf(isoDate(day)).filter((due) => due.task === task);
  if (!first) throw new Error(`There is no ${task} on ${day}.`);
  return [first.dueAt, ...later.map(({ dueAt }) => dueAt)];
}

/** Returns the time of a task on a Sydney day, the first of several. Throws where the day has none. */
export const timeOf = (task: TimetableTask, day: string): Date => timesOf(task, day)[0];

/** Returns a moment an hour after a task, or other minutes from it, as `ops advance --to` takes it. */
export function momentAfter(task: TimetableTask, day: string, minutes = 60): string {
  const moment = new Date(timeOf(task, day).getTime() + minutes * 60_000);
  return `${sydneyDay(moment)}T${sydneyDateTime(moment).slice(-8, -3)}`;
}

/** Returns the tasks of a Sydney day that are due by a moment, in order. */
export const tasksDueBy = (moment: Date): TimetableTask[] =>
  timetableOf(sydneyDay(moment))
    .filter(({ dueAt }) => dueAt <= moment)
    .map(({ task }) => task);

/** The work of each task on a Sydney day. */
export type Tasks = Record<TimetableTask, (day: IsoDate) => Promise<unknown>>;

/** Makes every task of the timetable by one function. */
export const everyTask = (make: (task: TimetableTask) => (day: IsoDate) => Promise<unknown>): Tasks => ({
  audit: make('audit'),
  reconcile: make('reconcile'),
  retention: make('retention'),
  'consent-poll': make('consent-poll'),
  'end-pauses': make('end-pauses'),
  'consent-run': make('consent-run'),
  sync: make('sync'),
  'mandate-poll': make('mandate-poll'),
  settle: make('settle'),
  'debit-run': make('debit-run'),
  remit: make('remit'),
  'savings-run': make('savings-run'),
  'debit-notice': make('debit-notice'),
  'onboarding-reminder': make('onboarding-reminder'),
});
