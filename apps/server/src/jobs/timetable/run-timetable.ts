import { type IsoDate, sydneyDay } from '@sparechange/domain';
import { blocksTheRest, type DueTask, type TimetableTask, timetableOf } from '@sparechange/domain/timetable';
import type { Db, Pool } from '#db/connect.ts';
import { withSessionLock } from '#db/session-lock.ts';
import type { Clock } from '#ports/clock.ts';

/** Answered by a task that is not over: it is called again the next time. */
export const notYet = Symbol('not yet');

/** Work of each timetable task; one that throws is retried. */
export type Tasks = Record<TimetableTask, (day: IsoDate, dueAt: Date) => Promise<unknown>>;

export interface TimetableDeps {
  db: Pool;
  clock: Clock;
  tasks: Tasks;
  /** Untimed work, done after the tasks of each run. */
  afterTasks?: () => Promise<unknown>;
  onDone: (due: DueTask, result: unknown) => void;
  onFailure: (due: DueTask, error: unknown) => void;
}

export const timetableLock = 'timetable';

/**
 * Does what is due today and not yet done. One process at a time does; what another one left unfinished is done
 * again, which is safe because every task is. A day that has passed is not caught up: the next run takes it along.
 */
export async function runTimetable(deps: TimetableDeps): Promise<void> {
  await withSessionLock(deps.db, timetableLock, () => runDueTasks(deps));
}

/** Does due tasks; the caller holds the timetable's lock. */
export async function runDueTasks(deps: TimetableDeps): Promise<'done' | typeof notYet> {
  const state = await runTasks(deps);
  await deps.afterTasks?.();
  return state;
}

async function runTasks({ db, clock, tasks, onDone, onFailure }: TimetableDeps): Promise<'done' | typeof notYet> {
  const now = clock.now();
  const day = sydneyDay(now);
  let state: 'done' | typeof notYet = 'done';
  for (const due of await listOpenTasks(db, now)) {
    try {
      const result = await tasks[due.task](day, due.dueAt);
      if (result === notYet) {
        state = notYet;
        if (blocksTheRest(due.task)) break;
        continue;
      }
      onDone(due, result);
      await db`
        insert into timetable_runs (task, due_at, finished_at) values (${due.task}, ${due.dueAt}, now())
        on conflict (task, due_at) do update set finished_at = now()`;
    } catch (error) {
      onFailure(due, error);
      await db`insert into timetable_runs (task, due_at) values (${due.task}, ${due.dueAt}) on conflict do nothing`;
      if (blocksTheRest(due.task)) break; // what follows relies on it: a debit run comes after the consents were looked at
    }
  }
  return state;
}

/** Lets a task that was finished be done again with the next tick of its day. */
export async function reopenTask(db: Db, { task, dueAt }: DueTask): Promise<void> {
  await db`update timetable_runs set finished_at = null where task = ${task} and due_at = ${dueAt}`;
}

const nameOf = ({ task, dueAt }: DueTask): string => `${task} ${dueAt.toISOString()}`;

/** Lists the tasks of today that are due and not yet done, in order. */
export async function listOpenTasks(db: Db, now: Date): Promise<DueTask[]> {
  const due = timetableOf(sydneyDay(now)).filter(({ dueAt }) => dueAt <= now);
  const [first] = due;
  if (!first) return [];
  const done = await db<DueTask[]>`
    select task, due_at as "dueAt" from timetable_runs where due_at >= ${first.dueAt} and finished_at is not null`;
  const finished = new Set(done.map(nameOf));
  return due.filter((task) => !finished.has(nameOf(task)));
}
