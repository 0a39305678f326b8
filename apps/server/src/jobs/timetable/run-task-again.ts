import type { Db } from '#db/connect.ts';
import { Conflict, NotFound } from '#errors.ts';
import { listTimetable } from './list-timetable.ts';
import { askForTask } from './run-timetable.ts';

/**
 * Has a task done with the next tick whose last time came to nothing on a day before. Throws NotFound for one that is none, and
 * Conflict where it is done, comes by itself, or has no place on this day.
 */
export async function runTaskAgain(db: Db, now: Date, task: string): Promise<void> {
  const entry = (await listTimetable(db, now)).find((each) => each.task === task);
  if (!entry) throw new NotFound('The task');
  if (!entry.mayRunAgain) throw new Conflict('It is done, comes by itself, or has no place on this day.');
  await askForTask(db, { task: entry.task, dueAt: now });
}
