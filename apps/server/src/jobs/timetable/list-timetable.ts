import { addDays, sydneyDay } from '@sparechange/domain';
import { type DueTask, makesUpOn, type TimetableTask, timetableOf } from '@sparechange/domain/timetable';
import type { Db } from '#db/connect.ts';
import { Conflict, NotFound } from '#errors.ts';
import { askForTask } from './run-timetable.ts';

export interface TimetableEntry {
  task: TimetableTask;
  /** `due` today and not done yet, or `missed` on its last day, which the next time takes along; null if it was never due. */
  state: 'done' | 'due' | 'failed' | 'missed' | null;
  lastDueAt: Date | null;
  lastDoneAt: Date | null;
  nextDueAt: Date | null;
  /**
   * True where its last time came to nothing and its day is over, so that only a person can have it done before the
   * next.
   */
  mayRunAgain: boolean;
}

/** Days around today; each task runs within a week. */
const days = Array.from({ length: 15 }, (_, place) => place - 7);

/** Lists the tasks of the timetable with their last result and next time. */
export async function listTimetable(db: Db, now: Date): Promise<TimetableEntry[]> {
  const today = sydneyDay(now);
  const times = days.flatMap((offset) => timetableOf(addDays(today, offset)));
  const runs = await db<(DueTask & { finishedAt: Date | null; isBegun: boolean })[]>`
    select task, due_at as "dueAt", finished_at as "finishedAt", started_at <> due_at as "isBegun" from timetable_runs
    where due_at >= ${times[0]?.dueAt ?? now} order by due_at`;
  const firstRun = runs[0]?.dueAt ?? now;
  return [...Map.groupBy(times, ({ task }) => task)].map(([task, all]) => {
    const own = runs.filter((run) => run.task === task);
    const times = [...all, ...own].map(({ dueAt }) => dueAt).filter((dueAt) => dueAt >= firstRun && dueAt <= now);
    const last = latest(times);
    const run = own.find(({ dueAt }) => dueAt.getTime() === last?.getTime());
    const isOver = last !== undefined && sydneyDay(last) < today;
    return {
      task,
      state: last ? stateOf(run, isOver) : null,
      lastDueAt: last ?? null,
      lastDoneAt: own.findLast(({ finishedAt }) => finishedAt)?.finishedAt ?? null,
      nextDueAt: all.find(({ dueAt }) => dueAt > now)?.dueAt ?? null,
      mayRunAgain: isOver && !run?.finishedAt && makesUpOn(today, task),
    };
  });
}

/**
 * Runs a task with the next tick whose last time came to nothing on an earlier day. Throws NotFound for an unknown
 * task, and Conflict where it is done, comes automatically, or has no place on this day.
 */
export async function runTaskAgain(db: Db, now: Date, task: string): Promise<void> {
  const entry = (await listTimetable(db, now)).find((each) => each.task === task);
  if (!entry) throw new NotFound('The task');
  if (!entry.mayRunAgain) throw new Conflict('It is done, runs automatically, or has no place on this day.');
  await askForTask(db, { task: entry.task, dueAt: now });
}

const latest = (times: Date[]): Date | undefined => times.toSorted((one, other) => Number(one) - Number(other)).at(-1);

function stateOf(run: { finishedAt: Date | null; isBegun: boolean } | undefined, isOver: boolean) {
  if (run?.finishedAt) return 'done';
  if (run?.isBegun) return 'failed';
  return isOver ? 'missed' : 'due';
}
