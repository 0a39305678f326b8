import * as contract from '@sparechange/contract/console';
import { setExtraClosedDays } from '@sparechange/domain/banking-calendar';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ownApp } from '#testing/app-under-test.ts';
import { anOperator, callConsole, type TestOperator } from '#testing/console.ts';

const api = ownApp();
beforeEach(() => api.clock.setTo('2026-11-23T00:00:00Z'));
afterEach(() => setExtraClosedDays([]));

const call = <Op extends contract.ConsoleOperation>(operation: Op, input: object, person: TestOperator) =>
  callConsole(api.app, operation, input, person);
const wednesday = '2026-11-25';

test('finance closes a day, which moves the run, and opens it again; a viewer sees the day without its reason', async () => {
  const finance = await anOperator(api.db, { roles: ['finance'] });
  const viewer = await anOperator(api.db, { roles: ['viewer'] });
  const closed = { day: wednesday, reason: 'a mourning day' };
  for (const _again of [1, 2])
    expect((await call(contract.addClosedDay, closed, finance)).body).toEqual({ nextDebitDay: '2026-11-26' });
  const { body: state } = await call(contract.retrieveRunState, {}, finance);
  expect(state.nextRunAt).toBe('2026-11-25T19:00:00.000Z');
  const row = { id: wednesday, reason: closed.reason, isPast: false };
  expect((await call(contract.listClosedDays, {}, finance)).body.rows).toEqual([row]);
  expect((await call(contract.listClosedDays, {}, viewer)).body.rows).toEqual([{ ...row, reason: null }]);
  for (const status of [200, 404])
    expect((await call(contract.removeClosedDay, { day: wednesday }, finance)).status).toBe(status);
  expect((await call(contract.listClosedDays, {}, finance)).body.rows).toEqual([]);
  const noted = await api.rows`
    select action, details ->> 'by' as by from audit_log where action like 'closed day%' order by at, id`;
  const by = `console ${finance.id}`;
  expect([...noted]).toEqual(['closed day added', 'closed day removed'].map((action) => ({ action, by })));
});

test('a past day is listed as such and stays; one without a reason, or no banking day, is refused with an explanation', async () => {
  const owner = await anOperator(api.db);
  expect((await call(contract.addClosedDay, { day: wednesday, reason: ' ' }, owner)).status).toBe(400);
  const weekend = await call(contract.addClosedDay, { day: '2026-11-28', reason: 'a test' }, owner);
  expect([weekend.status, weekend.body.error.message]).toEqual([409, '2026-11-28 is no banking day anyway.']);
  await call(contract.addClosedDay, { day: wednesday, reason: 'a test' }, owner);
  api.clock.setTo('2026-11-27T00:00:00Z');
  expect((await call(contract.listClosedDays, {}, owner)).body.rows).toMatchObject([{ id: wednesday, isPast: true }]);
  expect((await call(contract.removeClosedDay, { day: wednesday }, owner)).status).toBe(409);
});
