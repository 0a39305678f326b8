import type { IsoDate } from '@sparechange/domain';
import { notYet, type TimetableTask } from '@sparechange/domain/timetable';
import { beforeEach, expect, test } from 'vitest';
import { loseLocks, ownDatabase } from '#testing/database.ts';
import { aClock, type TestClock } from '#testing/makers.ts';
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

type Tasks = Record<TimetableTask, (day: IsoDate) => Promise<unknown>>;

/** Makes tasks that note their work; those named fail. */
function timetable(...failing: TimetableTask[]): TimetableDeps & { tasks: Tasks } {
  const task = (name: TimetableTask) => async (day: IsoDate) => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (failing.includes(name)) throw new Error(`${name} failed`);
    done.push(`${name} ${day}`);
  };
  const tasks: Tasks = {
    audit: task('audit'),
    reconcile: task('reconcile'),
    retention: task('retention'),
    'consent-poll': task('consent-poll'),
    'end-pauses': task('end-pauses'),
    'consent-run': task('consent-run'),
    sync: task('sync'),
    'mandate-poll': task('mandate-poll'),
    settle: task('settle'),
    'debit-run': task('debit-run'),
    remit: task('remit'),
    'savings-run': task('savings-run'),
    'debit-notice': task('debit-notice'),
    'onboarding-reminder': task('onboarding-reminder'),
  };
  return {
    db: database.pool,
    clock,
    tasks,
    carryOut: ({ task: name }, day) => tasks[name](day),
    onDone: () => {},
    onFailure: (_due, error) => failures.push((error as Error).message),
  };
}

/** A Sydney time on 25 November 2026, a debit day. */
const at = (time: string) => {
  clock = aClock(new Date(Date.parse(`2026-11-25T${time}:00+11:00`)).toISOString());
};

test('nothing is done before it is due', async () => {
  at('00:59');
  await runTimetable(timetable());
  expect(done).toEqual([]);
});

test('due tasks are done in order: purchases and outcomes before the debit run', async () => {
  at('06:00');
  await runTimetable(timetable());
  expect(done).toEqual(
    [
      'audit',
      'reconcile',
      'retention',
      'consent-poll',
      'end-pauses',
      'consent-run',
      'sync',
      'mandate-poll',
      'settle',
      'debit-run',
    ].map((name) => `${name} 2026-11-25`),
  );
});

test('a process that stops ends the task in hand and leaves the others to the next one', async () => {
  at('06:00');
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
  at('06:00');
  const loses = timetable();
  loses.tasks.reconcile = () => loseLocks(database.pool);
  await expect(runTimetable({ ...loses, signal: new AbortController().signal })).rejects.toThrow('terminating');
  expect(done).toEqual(['audit 2026-11-25']);
  await runTimetable(timetable());
  expect(done.slice(0, 2)).toEqual(['audit 2026-11-25', 'retention 2026-11-25']);
});

test('each task of a day is done once, however often the timetable is looked at', async () => {
  for (const time of ['04:00', '04:01', '06:30', '12:00', '12:01', '23:59', '23:59']) {
    at(time);
    await runTimetable(timetable());
  }
  expect(done.map((name) => name.split(' ')[0])).toEqual([
    'audit',
    'reconcile',
    'retention',
    'consent-poll',
    'end-pauses',
    'consent-run',
    'sync',
    'mandate-poll',
    'settle',
    'debit-run',
    'remit',
    'savings-run',
    'settle',
    'onboarding-reminder',
    'settle',
    'sync',
  ]);
});

test('a task that failed is done the next time, and what relies on it waits', async () => {
  at('06:00');
  await runTimetable(timetable('settle'));
  expect([done, failures]).toEqual([
    ['audit', 'reconcile', 'retention', 'consent-poll', 'end-pauses', 'consent-run', 'sync', 'mandate-poll'].map(
      (name) => `${name} 2026-11-25`,
    ),
    ['settle failed'],
  ]);
  await runTimetable(timetable());
  expect(done).toEqual(
    [
      'audit',
      'reconcile',
      'retention',
      'consent-poll',
      'end-pauses',
      'consent-run',
      'sync',
      'mandate-poll',
      'settle',
      'debit-run',
    ].map((name) => `${name} 2026-11-25`),
  );
});

test('a task that a killed process had begun is done', async () => {
  at('04:00');
  await database.rows`insert into timetable_runs (task, due_at) values ('sync', ${clock.now()})`;
  await runTimetable(timetable());
  expect(done).toEqual(
    ['audit', 'reconcile', 'retention', 'consent-poll', 'end-pauses', 'consent-run', 'sync'].map(
      (name) => `${name} 2026-11-25`,
    ),
  );
});

test('a finished task that is opened again is done again, alone', async () => {
  at('06:00');
  await runTimetable(timetable());
  done = [];
  await reopenTask(database.pool, { task: 'debit-run', dueAt: clock.now() });
  await runTimetable(timetable());
  await runTimetable(timetable());
  expect(done).toEqual(['debit-run 2026-11-25']);
});

test('several processes looking concurrently do each task once', async () => {
  at('06:00');
  await Promise.all([1, 2, 3].map(() => runTimetable(timetable())));
  expect(done).toHaveLength(10);
});

test('a day that has passed is not caught up', async () => {
  at('23:59');
  clock.setTo('2026-11-25T13:30:00Z');
  await runTimetable(timetable());
  expect(done).toEqual([]);
});

test('on a day without a debit run there is none', async () => {
  clock = aClock('2026-11-26T12:00:00Z');
  await runTimetable(timetable());
  expect(done).toEqual(
    [
      'audit',
      'reconcile',
      'retention',
      'consent-poll',
      'end-pauses',
      'consent-run',
      'sync',
      'mandate-poll',
      'settle',
      'remit',
      'savings-run',
      'settle',
      'debit-notice',
      'onboarding-reminder',
      'settle',
      'sync',
    ].map((name) => `${name} 2026-11-26`),
  );
});

test('a debit run waits neither for the books nor for outcomes, and payouts do: each group has its own turn', async () => {
  at('10:00');
  const settling = Promise.withResolvers<void>();
  const slow = timetable();
  slow.tasks.settle = () => settling.promise;
  const afterTasks = async () => void done.push('after tasks');
  const settlement = runTimetable({ ...slow, afterTasks }, 'settlement');
  await runTimetable({ ...timetable('audit'), afterTasks }, 'books');
  await runTimetable({ ...timetable(), afterTasks }, 'runs');
  await runTimetable({ ...timetable(), afterTasks }, 'settlement'); // another process has it
  await runTimetable({ ...timetable(), afterTasks }); // all groups, as for a moved clock
  const beside = ['reconcile', 'retention', 'consent-poll', 'end-pauses', 'consent-run', 'sync', 'debit-run'];
  const names = () => done.map((name) => name.replace(' 2026-11-25', '')).filter((name) => name !== 'mandate-poll');
  expect(names()).toEqual([...beside, 'after tasks']);
  settling.resolve();
  await settlement;
  expect(names()).toEqual([...beside, 'after tasks', 'remit']);
});

test('a task that is not over is called again, and what relies on it waits', async () => {
  at('06:00');
  const waiting = timetable();
  waiting.tasks['consent-run'] = async () => notYet;
  expect(await runDueTasks(waiting)).toBe(notYet);
  expect(done).toEqual(
    ['audit', 'reconcile', 'retention', 'consent-poll', 'end-pauses'].map((name) => `${name} 2026-11-25`),
  );
  expect(await runDueTasks(timetable())).toBe('done');
  expect(done.slice(5)).toEqual(
    ['consent-run', 'sync', 'mandate-poll', 'settle', 'debit-run'].map((name) => `${name} 2026-11-25`),
  );
});

test('a debit run that is not over keeps nothing else waiting', async () => {
  at('10:00');
  const waiting = timetable();
  waiting.tasks['debit-run'] = async () => notYet;
  await runDueTasks(waiting);
  expect(done.at(-1)).toBe('remit 2026-11-25');
});
