import { isoDate } from '@sparechange/domain';
import { beforeEach, expect, test } from 'vitest';
import { withSessionLock } from '#db/session-lock.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { testOfOneBucket } from '#testing/database.ts';
import { whileRefused } from '#testing/disturbed-buckets.ts';
import { aPurchase, forgetEverything } from '#testing/makers.ts';
import { planDebits } from './plan-debits.ts';
import { runDebits, runDueDebits } from './run-debits.ts';

const api = ownApp();
beforeEach(async () => {
  await forgetEverything(api.db);
  const [supporter, other] = [await api.supporter(), await api.supporter({ paused: false })];
  for (const buyer of [supporter, other])
    await recordRoundUps(api.db.of(buyer.supporterId), api.clock.now(), [aPurchase(buyer)]);
  await api.rows`update supporters set consent_active = false where supporter_id <> ${supporter.supporterId}`;
});

test('a run plans, submits and reports the debits and the supporters left out', async () => {
  expect(await runDebits(api)).toEqual({
    date: '2026-11-25',
    planned: 1,
    submitted: 1,
    totalCents: 70,
    unknown: 0,
    skipped: { 'no consent': 1 },
    awaitsBalances: 0,
    refused: {},
  });
});

test('a day that is no debit day is refused and names the next one, unless it is forced', async () => {
  const thursday = isoDate('2026-11-26');
  await expect(runDebits(api, thursday)).rejects.toMatchObject({
    code: 'conflict',
    message: '2026-11-26 is not a debit day; the next one is 2026-11-27. Only a forced run debits all the same.',
  });
  expect(await runDebits(api, thursday, { force: true })).toMatchObject({ planned: 1, submitted: 1 });
});

test('the next debit day may be run early; a later one is refused, in case of a slip of the year, unless it is forced', async () => {
  await expect(runDebits(api, isoDate('2036-11-26'))).rejects.toMatchObject({
    code: 'conflict',
    message: '2036-11-26 is too far ahead; the next one is 2026-11-27. Only a forced run debits all the same.',
  });
  expect(await runDebits(api, isoDate('2026-11-27'))).toMatchObject({ planned: 1, submitted: 1 });
});

test('after an early run the timetable plans once at its hour, and not again', async () => {
  const friday = isoDate('2026-11-27');
  api.clock.setTo('2026-11-26T09:00:00Z');
  expect(await runDebits(api, friday)).toMatchObject({ planned: 1, submitted: 1 });
  api.clock.setTo('2026-11-26T19:00:00Z'); // 6:00 am in Sydney
  expect(await runDueDebits(api, friday)).toMatchObject({ planned: 0, skipped: { 'no consent': 1 } });
  expect(await runDueDebits(api, friday)).toMatchObject({ planned: 0, skipped: {} });
});

test.each([
  ['the timetable', () => runDueDebits(api, isoDate('2026-11-25'))],
  ['an operator', () => runDebits(api)],
])('a run of %s that meets another submission is not finished, and is run again', async (_whose, run) => {
  const finished = () => api.rows`select 1 from debit_runs where finished_at is not null`;
  await withSessionLock(api.db, 'submit debits', async () => {
    await expect(run()).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('run again') });
  });
  expect(await finished()).toEqual([]);
  expect(await run()).toMatchObject({ submitted: 1, totalCents: 70 });
  expect(await finished()).toHaveLength(1);
});

test('debits left by an interrupted run go with the next one, which ends both', async () => {
  api.clock.setTo('2026-11-24T19:00:00Z');
  await api.db`insert into provider_breakers values ('direct_debit', ${api.clock.now()}, '2026-11-24T19:00:30Z', 1)`;
  await expect(runDueDebits(api, isoDate('2026-11-25'))).rejects.toMatchObject({ code: 'provider-unavailable' });
  api.clock.setTo('2026-11-26T19:00:00Z');
  expect(await runDueDebits(api, isoDate('2026-11-27'))).toMatchObject({ planned: 0, submitted: 1 });
  expect(await api.rows`select run_date::text as date, debits, finished_at from debit_runs order by 1`).toEqual([
    { date: '2026-11-25', debits: 1, finished_at: api.clock.now() },
    { date: '2026-11-27', debits: 0, finished_at: api.clock.now() },
  ]);
});

test('a run planned again while being submitted is not finished: debits held back go a minute later', async () => {
  api.clock.setTo('2026-11-24T19:00:00Z');
  const wednesday = isoDate('2026-11-25');
  const submitDebits: typeof api.directDebit.submitDebits = async (orders) => {
    api.clock.setTo('2026-11-24T19:00:30Z');
    await planDebits(api.db, api.clock, api.tenants, wednesday);
    return api.directDebit.submitDebits(orders);
  };
  const deps = { ...api, directDebit: { ...api.directDebit, submitDebits } };
  await expect(runDueDebits(deps, wednesday)).rejects.toThrow('planned again');
  expect(await api.rows`select 1 from debit_runs where finished_at is not null`).toEqual([]);
  expect(await runDueDebits(api, wednesday)).toMatchObject({ planned: 0, submitted: 0 });
  expect(await api.rows`select 1 from debit_runs where finished_at is not null`).toHaveLength(1);
});

test('a scheduled run that the provider stops is not planned again, only submitted', async () => {
  api.clock.setTo('2026-11-24T19:00:00Z');
  const wednesday = isoDate('2026-11-25');
  await api.db`insert into provider_breakers values ('direct_debit', ${api.clock.now()}, '2026-11-24T19:00:30Z', 1)`;
  await expect(runDueDebits(api, wednesday)).rejects.toMatchObject({ code: 'provider-unavailable' });
  const later = await api.supporter();
  await recordRoundUps(api.db.of(later.supporterId), api.clock.now(), [aPurchase(later)]);
  api.clock.setTo('2026-11-24T19:01:00Z');
  expect(await runDueDebits(api, wednesday)).toMatchObject({ planned: 0, submitted: 1 });
});

test('running again debits nothing again', async () => {
  await runDebits(api);
  expect(await runDebits(api)).toMatchObject({ planned: 0, submitted: 0, totalCents: 0 });
});

test('a run with an unknown answer is finished and counts it; when retried, each debit is taken once', async () => {
  const before = api.directDebit.taken.length;
  api.directDebit.failNext('time-out after effect');
  expect(await runDebits(api)).toMatchObject({ planned: 1, submitted: 0, unknown: 1 });
  expect(await runDebits(api)).toMatchObject({ planned: 0, submitted: 1, totalCents: 70, unknown: 0 });
  expect(api.directDebit.taken).toHaveLength(before + 1);
});

const plannedDebits = () => api.rows`select run_date from debits order by run_date`;

// Several buckets are planned one after another, and keep their plans until the run is released.
testOfOneBucket.each([
  ['planned', 0],
  ['planned again', 1],
])('a run that is %s and cannot be released leaves no debit behind', async (_how, before) => {
  if (before > 0) await runDebits(api);
  await api.rows`update supporters set consent_active = true`;
  await whileRefused(api.db, 'update on debit_runs', 'new.cents <> old.cents', () =>
    expect(runDebits(api)).rejects.toThrow('refused'),
  );
  expect(await plannedDebits()).toHaveLength(before);
  api.clock.setTo('2026-11-26T22:00:00Z');
  expect(await runDebits(api)).toMatchObject({ planned: 2 - before, submitted: 2 - before });
  expect(await plannedDebits()).toHaveLength(2);
});
