import { type IsoDate, isoDate, sydneyDay } from '@sparechange/domain';
import { groupOf, notYet, type TimetableTask, timetableOf } from '@sparechange/domain/timetable';
import { beforeEach, expect, test } from 'vitest';
import { loseLocks, ownDatabase } from '#testing/database.ts';
import { aClock, type TestClock } from '#testing/makers.ts';
import { everyTask, type Tasks, tasksDueBy, timeOf } from '#testing/timetable.ts';
import { reopenTask, runDueTasks, runTimetable, type TimetableDeps } from './run-timetable.ts';

const database = ownDatabase();
let clock: TestClock;
let done: string[];
let failures: string[];
beforeEach(async () => {
  await database.rows`truncate timetable_runs`;
  done = [];
  failures = [];
});

/** Makes tasks that note their work; those named fail. */
function timetable(...failing: TimetableTask[]): TimetableDeps & { tasks: Tasks } {
  const task = (name: TimetableTask) => async (day: IsoDate) => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (failing.includes(name)) throw new Error(`${name} failed`);
    done.push(`${name} ${day}`);
  };
  const tasks = everyTask(task);
  return {
    db: database.pool,
    clock,
    tasks,
    carryOut: ({ task: name }, day) => tasks[name](day),
    onDone: () => {},
    onFailure: (_due, error) => failures.push((error as Error).message),
  };
}

const wednesday = isoDate('2026-11-25');

/** Sets the clock to a task's first time on a debit day, or minutes later. */
const at = (task: TimetableTask, minutesLater = 0) => {
  clock = aClock(new Date(timeOf(task, wednesday).getTime() + minutesLater * 60_000).toISOString());
};
/** Returns what is noted once everything due by now is done. */
const allDue = () => tasksDueBy(clock.now()).map((task) => `${task} ${sydneyDay(clock.now())}`);
const dueBefore = (task: TimetableTask) => allDue().slice(0, allDue().indexOf(`${task} ${wednesday}`));

test('nothing is done before it is due', async () => {
  at('audit', -1);
  await runTimetable(timetable());
  expect(done).toEqual([]);
});

test('due tasks are done in order: purchases and outcomes before the debit run', async () => {
  at('debit-run');
  await runTimetable(timetable());
  expect(done).toEqual(allDue());
});

test('a process that stops ends the task in hand and leaves the others to the next one', async () => {
  at('debit-run');
  const stopping = new AbortController();
  const reconcile = async () => {
    stopping.abort();
    done.push('reconcile while stopping');
  };
  const stops = timetable();
  stops.tasks.reconcile = reconcile;
  const afterTasks = async () => void done.push('after tasks');
  await runTimetable({ ...stops, afterTasks, signal: stopping.signal });
  expect(done).toEqual(['audit 2026-11-25', 'reconcile while stopping']);
  done = [];
  await runTimetable({ ...timetable(), afterTasks });
  expect(done.slice(0, 1)).toEqual(['retention 2026-11-25']);
  expect(done.at(-1)).toBe('after tasks');
});

test('a process that lost its lock begins no further task', async () => {
  at('debit-run');
  const loses = timetable();
  loses.tasks.reconcile = () => loseLocks(database.pool);
  await expect(runTimetable({ ...loses, signal: new AbortController().signal })).rejects.toThrow('terminating');
  expect(done).toEqual(['audit 2026-11-25']);
  await runTimetable(timetable());
  expect(done.slice(0, 2)).toEqual(['audit 2026-11-25', 'retention 2026-11-25']);
});

test('each task of a day is done once, however often the timetable is looked at', async () => {
  for (const { dueAt } of timetableOf(wednesday))
    for (const laterMs of [0, 60_000]) {
      clock = aClock(new Date(dueAt.getTime() + laterMs).toISOString());
      await runTimetable(timetable());
    }
  expect(done).toEqual(allDue());
});

test('a task that failed is done the next time, and what relies on it waits', async () => {
  at('debit-run');
  await runTimetable(timetable('settle'));
  expect([done, failures]).toEqual([dueBefore('settle'), ['settle failed']]);
  await runTimetable(timetable());
  expect(done).toEqual(allDue());
});

test('a task that a killed process had begun is done', async () => {
  at('sync');
  await database.rows`insert into timetable_runs (task, due_at) values ('sync', ${clock.now()})`;
  await runTimetable(timetable());
  expect(done).toEqual(allDue());
  expect(done.at(-1)).toBe('sync 2026-11-25');
});

test('a finished task that is opened again is done again, alone', async () => {
  at('debit-run');
  await runTimetable(timetable());
  done = [];
  await reopenTask(database.pool, { task: 'debit-run', dueAt: clock.now() });
  await runTimetable(timetable());
  await runTimetable(timetable());
  expect(done).toEqual(['debit-run 2026-11-25']);
});

test('several processes looking concurrently do each task once', async () => {
  at('debit-run');
  await Promise.all([1, 2, 3].map(() => runTimetable(timetable())));
  expect(done.toSorted()).toEqual(allDue().toSorted());
});

test('a day that has passed is not caught up', async () => {
  clock = aClock('2026-11-25T13:30:00Z');
  await runTimetable(timetable());
  expect(done).toEqual([]);
});

test('on a day without a debit run there is none', async () => {
  clock = aClock('2026-11-26T12:00:00Z');
  await runTimetable(timetable());
  expect(done).toEqual(allDue());
  expect(done).not.toContain('debit-run 2026-11-26');
  expect(done.at(-1)).toBe('sync 2026-11-26');
});

test('a debit run waits neither for the books nor for outcomes, and payouts do: each group has its own turn', async () => {
  at('remit');
  const settling = Promise.withResolvers<void>();
  const slow = timetable();
  slow.tasks.settle = () => settling.promise;
  const afterTasks = async () => void done.push('after tasks');
  const settlement = runTimetable({ ...slow, afterTasks }, 'settlement');
  await runTimetable({ ...timetable('audit'), afterTasks }, 'books');
  await runTimetable({ ...timetable(), afterTasks }, 'runs');
  await runTimetable({ ...timetable(), afterTasks }, 'settlement'); // another process has it
  await runTimetable({ ...timetable(), afterTasks }); // all groups, as for a moved clock
  const beside = tasksDueBy(clock.now()).filter((task) => task !== 'audit' && groupOf(task) !== 'settlement');
  const names = () => done.map((name) => name.replace(' 2026-11-25', '')).filter((name) => name !== 'mandate-poll');
  expect(names()).toEqual([...beside, 'after tasks']);
  settling.resolve();
  await settlement;
  expect(names()).toEqual([...beside, 'after tasks', 'remit']);
});

test('a task that is not over is called again, and what relies on it waits', async () => {
  at('debit-run');
  const waiting = timetable();
  waiting.tasks['consent-run'] = async () => notYet;
  expect(await runDueTasks(waiting)).toBe(notYet);
  expect(done).toEqual(dueBefore('consent-run'));
  expect(await runDueTasks(timetable())).toBe('done');
  expect(done).toEqual(allDue());
});

test('a debit run that is not over keeps nothing else waiting', async () => {
  at('remit');
  const waiting = timetable();
  waiting.tasks['debit-run'] = async () => notYet;
  await runDueTasks(waiting);
  expect(done.at(-1)).toBe('remit 2026-11-25');
});
