import { type IsoDate, sydneyDay, sydneyTime } from '@sparechange/domain';
import {
  blocksTheRest,
  type DueTask,
  groupOf,
  makesUpOn,
  notYet,
  type TaskGroup,
  taskGroups,
  timetableOf,
} from '@sparechange/domain/timetable';
import type { Db, Pool } from '#db/connect.ts';
import { withSessionLocks } from '#db/session-lock.ts';
import type { Clock } from '#ports/clock.ts';

export interface TimetableDeps {
  db: Pool;
  clock: Clock;
  /** Carries out a task; one that throws is retried. */
  carryOut: (due: DueTask, day: IsoDate) => Promise<unknown>;
  /** Untimed work, done after the group `runs`. */
  afterTasks?: () => Promise<unknown>;
  /** A process that stops, or whose lock was lost, begins no further task; the next one does. */
  signal?: AbortSignal;
  onDone: (due: DueTask, result: unknown) => void;
  onFailure: (due: DueTask, error: unknown) => void;
}

const lockOf = (group: TaskGroup): string => (group === 'runs' ? 'timetable' : `timetable ${group}`);

export const timetableLocks = taskGroups.map(lockOf);

/**
 * Does what is due today and not yet done in a group, or in all of them in order. One process at a time does in each; what
 * another one left unfinished is done again, which is safe because every task is. A day that has passed is not caught up
 * unless a person asks for it: the next run takes it along.
 */
export async function runTimetable(deps: TimetableDeps, group?: TaskGroup): Promise<void> {
  await withSessionLocks(deps.db, group ? [lockOf(group)] : timetableLocks, (lost) =>
    runDueTasks({ ...deps, signal: deps.signal ? AbortSignal.any([deps.signal, lost]) : lost }, group),
  );
}

/** Does due tasks; the caller holds their groups' locks. */
export async function runDueTasks(deps: TimetableDeps, group?: TaskGroup): Promise<'done' | typeof notYet> {
  const state = await runTasks(deps, group);
  if (!deps.signal?.aborted && (group ?? 'runs') === 'runs') await deps.afterTasks?.();
  return state;
}

async function runTasks(deps: TimetableDeps, group?: TaskGroup): Promise<'done' | typeof notYet> {
  const { db, clock, carryOut, onDone, onFailure, signal } = deps;
  const now = clock.now();
  const day = sydneyDay(now);
  let state: 'done' | typeof notYet = 'done';
  for (const due of await listOpenTasks(db, now)) {
    if (group && groupOf(due.task) !== group) continue;
    if (signal?.aborted) return notYet;
    try {
      const result = await carryOut(due, day);
      if (result === notYet) {
        state = notYet;
        if (blocksTheRest(due.task)) break;
        continue;
      }
      onDone(due, result);
      await db`
        insert into timetable_runs (task, due_at, finished_at) values (${due.task}, ${due.dueAt}, ${clock.now()})
        on conflict (task, due_at) do update set finished_at = excluded.finished_at`;
    } catch (error) {
      onFailure(due, error);
      await db`
        insert into timetable_runs (task, due_at) values (${due.task}, ${due.dueAt})
        on conflict (task, due_at) do update set started_at = now()`;
      if (blocksTheRest(due.task)) break; // what follows relies on it: a debit run comes after the consents were looked at
    }
  }
  return state;
}

/** Lets a task that was finished be done again with the next tick of its day. */
export async function reopenTask(db: Db, { task, dueAt }: DueTask): Promise<void> {
  await db`update timetable_runs set finished_at = null where task = ${task} and due_at = ${dueAt}`;
}

/**
 * Runs a task with the next tick, after those of the timetable. It counts as not begun while both its times are equal.
 */
export async function askForTask(db: Db, { task, dueAt }: DueTask): Promise<void> {
  await db`
    insert into timetable_runs (task, due_at, started_at) values (${task}, ${dueAt}, ${dueAt}) on conflict do nothing`;
}

const nameOf = ({ task, dueAt }: DueTask): string => `${task} ${dueAt.toISOString()}`;

/** Lists the tasks of today that are due and not yet done, in order, and after them those that a person asked for. */
export async function listOpenTasks(db: Db, now: Date): Promise<DueTask[]> {
  const day = sydneyDay(now);
  const due = timetableOf(day).filter(({ dueAt }) => dueAt <= now);
  const runs = await db<(DueTask & { isDone: boolean })[]>`
    select task, due_at as "dueAt", finished_at is not null as "isDone" from timetable_runs
    where due_at >= ${sydneyTime(day, '00:00')} and due_at <= ${now} order by due_at, task`;
  const finished = new Set(runs.filter(({ isDone }) => isDone).map(nameOf));
  const ofTimetable = new Set(due.map(nameOf));
  const asked = runs
    .filter((run) => !run.isDone && !ofTimetable.has(nameOf(run)) && makesUpOn(day, run.task))
    .map(({ task, dueAt }) => ({ task, dueAt }));
  return [...due.filter((task) => !finished.has(nameOf(task))), ...asked];
}
