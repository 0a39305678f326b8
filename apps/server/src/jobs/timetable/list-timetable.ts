import { addDays, sydneyDay } from '@sparechange/domain';
import { type DueTask, type TimetableTask, timetableOf } from '@sparechange/domain/timetable';
import type { Db } from '#db/connect.ts';

export interface TimetableEntry {
  task: TimetableTask;
  /** `due` today and not done yet, or `missed` on its last day, which the next time takes along; null if it was never due. */
  state: 'done' | 'due' | 'failed' | 'missed' | null;
  lastDueAt: Date | null;
  lastDoneAt: Date | null;
  nextDueAt: Date | null;
}

/** A run of each task lies within so many days. */
const days = Array.from({ length: 15 }, (_, place) => place - 7);

/** Lists the tasks of the timetable with what became of the last time and when the next one is. */
export async function listTimetable(db: Db, now: Date): Promise<TimetableEntry[]> {
  const today = sydneyDay(now);
  const times = days.flatMap((offset) => timetableOf(addDays(today, offset)));
  const runs = await db<(DueTask & { finishedAt: Date | null })[]>`
    select task, due_at as "dueAt", finished_at as "finishedAt" from timetable_runs
    where due_at >= ${times[0]?.dueAt ?? now} order by due_at`;
  const firstRun = runs[0]?.dueAt ?? now;
  return [...Map.groupBy(times, ({ task }) => task)].map(([task, all]) => {
    const last = all.findLast(({ dueAt }) => dueAt >= firstRun && dueAt <= now);
    const own = runs.filter((run) => run.task === task);
    const run = own.find(({ dueAt }) => dueAt.getTime() === last?.dueAt.getTime());
    const notDone = last && (sydneyDay(last.dueAt) < today ? 'missed' : 'due');
    return {
      task,
      state: run ? (run.finishedAt ? 'done' : 'failed') : (notDone ?? null),
      lastDueAt: last?.dueAt ?? null,
      lastDoneAt: own.findLast(({ finishedAt }) => finishedAt)?.finishedAt ?? null,
      nextDueAt: all.find(({ dueAt }) => dueAt > now)?.dueAt ?? null,
    };
  });
}
