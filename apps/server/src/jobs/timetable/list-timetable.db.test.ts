import * as contract from '@sparechange/contract/console';
import { isoDate, sydneyTime } from '@sparechange/domain';
import type { DueTask } from '@sparechange/domain/timetable';
import { beforeEach, expect, test } from 'vitest';
import { ownApp } from '#testing/app-under-test.ts';
import { anOperator, callConsole } from '#testing/console.ts';
import { timeOf, timesOf } from '#testing/timetable.ts';
import { runDueTasks } from './run-timetable.ts';

const api = ownApp();
const at = (day: string, time: `${number}:${number}`) => sydneyTime(isoDate(day), time);
let done: string[];

/** Does due tasks; each notes its name; those named fail. */
function tick(...failing: string[]) {
  const carryOut = async ({ task }: DueTask, day: string) => {
    if (failing.includes(task)) throw new Error(`${task} failed`);
    done.push(`${task} ${day}`);
  };
  return runDueTasks({ ...api, carryOut, onDone: () => {}, onFailure: () => {} });
}

async function signedIn() {
  const person = await anOperator(api.db);
  const entryOf = async (task: string) =>
    (await callConsole(api.app, contract.listTimetable, {}, person)).body.rows.find(({ id }) => id === task);
  const runAgain = async (task: string) => (await callConsole(api.app, contract.runTaskAgain, { task }, person)).status;
  return { id: person.id, entryOf, runAgain };
}

beforeEach(async () => {
  await api.rows`truncate timetable_runs`;
  await api.rows`insert into timetable_runs (task, due_at, finished_at) values ('audit', ${timeOf('audit', '2026-11-24')}, now())`;
  api.clock.setTo(at('2026-11-25', '09:00').toISOString());
  done = [];
  await tick();
  done = [];
});

test('a task missed on a day before is done once more when an owner asks, after the tasks of the day', async () => {
  const { id, entryOf, runAgain } = await signedIn();
  const reminder = 'onboarding-reminder';
  expect(await entryOf(reminder)).toMatchObject({ state: 'missed', mayRunAgain: true });
  for (const status of [200, 409]) expect(await runAgain(reminder)).toBe(status);
  expect(await entryOf(reminder)).toMatchObject({ state: 'due', mayRunAgain: false });
  for (let minutes = 0; minutes < 2; minutes += 1) await tick();
  expect(done).toEqual([`${reminder} 2026-11-25`]);
  expect(await entryOf(reminder)).toMatchObject({ state: 'done', mayRunAgain: false });
  const [noted] = await api.rows`
    select details ->> 'by' as by, details ->> 'task' as task from audit_log where action = 'task of the timetable asked for'`;
  expect(noted).toEqual({ by: `console ${id}`, task: reminder });
});

test('one that fails again is tried until its day is over, and may then be asked for again', async () => {
  const { entryOf, runAgain } = await signedIn();
  await runAgain('onboarding-reminder');
  await tick('onboarding-reminder');
  expect(await entryOf('onboarding-reminder')).toMatchObject({ state: 'failed', mayRunAgain: false });
  await tick();
  expect(done).toEqual(['onboarding-reminder 2026-11-25']);
  api.clock.setTo(timesOf('sync', '2026-11-25').at(-1) ?? '');
  await tick('sync');
  api.clock.setTo(at('2026-11-26', '00:30').toISOString());
  expect(await entryOf('sync')).toMatchObject({ state: 'failed', mayRunAgain: true });
  expect(await runAgain('sync')).toBe(200);
  done = [];
  await tick();
  expect(done).toEqual(['sync 2026-11-26']);
});

test('a task that is done, is a debit run or its notice, or has no place on the day is refused, and an unknown one not found', async () => {
  const { entryOf, runAgain } = await signedIn();
  expect(await entryOf('audit')).toMatchObject({ state: 'done', mayRunAgain: false });
  expect(await runAgain('audit')).toBe(409);
  api.clock.setTo(at('2026-11-28', '00:30').toISOString());
  for (const task of ['debit-run', 'debit-notice', 'settle']) {
    expect(await entryOf(task)).toMatchObject({ state: 'missed', mayRunAgain: false });
    expect(await runAgain(task)).toBe(409);
  }
  expect(await runAgain('nothing')).toBe(404);
});
