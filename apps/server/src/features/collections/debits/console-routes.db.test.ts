import * as contract from '@sparechange/contract/console';
import { isoDate } from '@sparechange/domain';
import { beforeEach, expect, test } from 'vitest';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { anOperator, callConsole, type TestOperator } from '#testing/console.ts';
import { aPurchase, forgetEverything, returned } from '#testing/makers.ts';
import { applyDebitOutcome } from './apply-debit-outcome.ts';
import { runDebits, runDueDebits } from './run-debits.ts';
import { findSuspension, resumeRuns, suspendRuns } from './suspended-runs.ts';

const api = ownApp();
beforeEach(() => forgetEverything(api.db));

const wednesday = isoDate('2026-11-25');
const call = <Op extends contract.ConsoleOperation>(operation: Op, input: object, person: TestOperator) =>
  callConsole(api.app, operation, input, person);

async function people() {
  const finance = await anOperator(api.db, { roles: ['finance'] });
  return { finance, owner: await anOperator(api.db) };
}

/** Creates a supporter debited on Tuesday, with this number of cents waiting. */
async function waiting(cents: number) {
  const supporter = await api.supporter({ step: 500, ceilingCents: 100_000_00 });
  const bucket = api.db.of(supporter.supporterId);
  await recordRoundUps(bucket, api.clock.now(), [aPurchase(supporter, { cents: 430 })]);
  await runDebits(api, isoDate('2026-11-24'), { force: true });
  const purchases = Array.from({ length: Math.ceil(cents / 499) }, () => aPurchase(supporter, { cents: 1 }));
  await recordRoundUps(bucket, api.clock.now(), purchases);
  return supporter;
}

/** Lets Wednesday's scheduled run be unusual. */
async function anUnusualRun(): Promise<void> {
  await waiting(1_200_00);
  await api.rows`
    insert into debit_runs (run_date, planned_at, finished_at, debits, cents)
    select day, day, day, 5, 100_00 from generate_series('2026-11-09'::date, '2026-11-23', interval '2 days') as day`;
  await expect(runDueDebits(api, wednesday)).rejects.toMatchObject({ name: 'RunAnomaly' });
}

test('an unusual run is planned, left stopped, requested by one person and made by another', async () => {
  const { finance, owner } = await people();
  await anUnusualRun();
  const plan = await call(contract.planRun, {}, finance);
  expect(plan.body).toMatchObject({
    date: wednesday,
    debits: 1,
    totalCents: 1202_59,
    tenants: [{ tenant: 'default', debits: 1, cents: 1202_59 }],
    lines: [{ usualCents: null, differences: [] }],
  });
  expect(plan.body.anomalies).toHaveLength(1);

  for (const because of ['the bank doubled lines', 'we ask the bank'])
    expect((await call(contract.stopRun, { because }, finance)).status).toBe(200);
  expect(await findSuspension(api.db)).toMatchObject({
    because: expect.stringMatching(/is unusual: [^;]*; stopped: we ask the bank$/),
    isAnomaly: true,
  });

  const confirmed = { date: wednesday, how: 'confirmed', cents: 1202_59 };
  expect((await call(contract.runDebits, confirmed, finance)).body).toEqual({ outcome: 'asked' });
  const { body } = await call(contract.listApprovals, {}, owner);
  expect(body.approvals).toMatchObject([{ summary: expect.stringContaining('$1,202.59'), isOwn: false }]);
  expect((await call(contract.agreeToApproval, { id: body.approvals[0]?.id }, owner)).status).toBe(200);
  const { body: made } = await call(contract.retrieveRun, { date: wednesday }, finance);
  expect(made).toMatchObject({
    run: { state: 'waiting', debits: 1, cents: 1202_59 },
    progress: { submitted: { debits: 1, cents: 1202_59 }, planned: { debits: 0, cents: 0 } },
    outcomes: [{ state: 'submitted', debits: 1, cents: 1202_59 }],
  });
  expect((await call(contract.stopRun, { because: 'late' }, finance)).status).toBe(409);
});

test('leaving a run stopped refuses the requests to make it, so that nobody agrees to them afterwards', async () => {
  const { finance, owner } = await people();
  await anUnusualRun();
  const confirmed = { date: wednesday, how: 'confirmed', cents: 1202_59 };
  await call(contract.runDebits, confirmed, finance);
  const asked = async () => (await call(contract.listApprovals, {}, owner)).body.approvals[0];
  const id = (await asked())?.id ?? '';
  expect((await call(contract.stopRun, { because: 'the bank doubled lines' }, owner)).status).toBe(200);
  const because = 'The run was left stopped: the bank doubled lines';
  expect(await asked()).toMatchObject({ id, state: 'refused', failure: because });
  const other = await anOperator(api.db);
  const { status, body } = await call(contract.agreeToApproval, { id }, other);
  expect([status, body.error.message]).toEqual([409, because]);
  expect(await findSuspension(api.db)).toMatchObject({ isAnomaly: true });
  expect((await call(contract.runDebits, confirmed, finance)).body).toEqual({ outcome: 'asked' });
});

test('a viewer reads figures, but no text that an operator typed', async () => {
  const { finance } = await people();
  const viewer = await anOperator(api.db, { roles: ['viewer'] });
  await anUnusualRun();
  await call(contract.stopRun, { because: 'we ask Sam Song' }, finance);
  await call(contract.suspendTenant, { tenant: 'riverside-rovers', because: 'Sam Song asked' }, finance);
  const about = 'Sam Song';
  await api.rows`insert into alarms (name, about, sentence, raised_at) values ('a', ${about}, ${about}, ${api.clock.now()})`;
  for (const operation of [
    contract.retrieveToday,
    contract.listRuns,
    contract.retrieveRun,
    contract.retrieveRunState,
  ]) {
    const input = operation === contract.retrieveRun ? { date: wednesday } : {};
    const read = async (person: TestOperator) => JSON.stringify((await call(operation, input, person)).body);
    expect(await read(finance)).toContain('Sam Song');
    expect(await read(viewer)).toContain(wednesday);
    expect(await read(viewer)).not.toContain('Sam Song');
  }
});

test('a tenant is suspended by one person and resumed by two', async () => {
  const { finance, owner } = await people();
  const request = { tenant: 'riverside-rovers', because: 'the club asked us to wait' };
  expect((await call(contract.suspendTenant, { ...request, tenant: 'unknown' }, finance)).status).toBe(404);
  for (const time of ['first', 'again'])
    expect([time, (await call(contract.suspendTenant, request, finance)).status]).toEqual([time, 200]);
  expect((await call(contract.resumeTenant, request, finance)).body).toEqual({ outcome: 'asked' });
  const other = await call(contract.suspendTenant, { ...request, because: 'their bank is down' }, owner);
  expect(other.status).toBe(200);
  const asked = async () =>
    (await call(contract.listApprovals, {}, owner)).body.approvals.filter(({ state }) => state === 'asked');
  expect(await asked()).toEqual([]); // the requester knew only one reason
  const supporter = await api.supporter({ tenantKey: request.tenant });
  await recordRoundUps(api.db.of(supporter.supporterId), api.clock.now(), [aPurchase(supporter)]);
  await runDebits(api, wednesday);
  const { body: made } = await call(contract.retrieveRun, { date: wednesday }, finance);
  expect(made.leftOut).toEqual([{ words: 'tenant suspended', debits: 1 }]);
  const state = async () => (await call(contract.retrieveRunState, {}, finance)).body.tenants;
  expect(await state()).toContainEqual(
    expect.objectContaining({
      tenant: request.tenant,
      suspended: expect.objectContaining({ because: 'the club asked us to wait; also: their bank is down' }),
    }),
  );
  expect((await call(contract.resumeTenant, { tenant: 'default' }, finance)).status).toBe(404);
  expect((await call(contract.resumeTenant, request, finance)).body).toEqual({ outcome: 'asked' });
  await call(contract.agreeToApproval, { id: (await asked())[0]?.id }, owner);
  expect((await state()).filter(({ suspended }) => suspended)).toEqual([]);
});

test('a run can be made within a week after its day, and not ahead of it', async () => {
  const { finance } = await people();
  for (const date of ['2026-11-27', '2026-11-16'])
    expect((await call(contract.runDebits, { date, how: 'again' }, finance)).status).toBe(409);
  expect((await call(contract.runDebits, { date: wednesday, how: 'again' }, finance)).body).toEqual({
    outcome: 'done',
  });
});

test("runs are listed by page, with today's returns", async () => {
  const { finance, owner } = await people();
  const { supporterId } = await waiting(10_00);
  await runDebits(api, wednesday);
  const first = await call(contract.listRuns, { limit: '1' }, finance);
  expect(first.body).toMatchObject({
    rows: [{ id: wednesday, state: 'waiting', debits: 1, progress: { submitted: { debits: 1 } } }],
    next: wednesday,
  });
  const second = await call(contract.listRuns, { limit: '1', after: first.body.next }, finance);
  expect(second.body).toMatchObject({ rows: [{ id: '2026-11-24' }], next: null });

  const [debit] = await api.rows<{ providerRef: string; cents: number }[]>`
    select provider_ref as "providerRef", amount_cents as cents from debits
    where supporter_id = ${supporterId} and run_date = ${wednesday}`;
  const outcome = returned(debit?.providerRef ?? '', 6);
  await api.db.of(supporterId).begin((tx) => applyDebitOutcome(tx, api.clock, outcome));
  const today = await call(contract.retrieveToday, {}, owner);
  expect(today.body).toMatchObject({
    cameBack: [{ state: 'returned', returnCode: 6, debits: 1, cents: debit?.cents }],
    lastRun: {
      date: wednesday,
      state: 'complete_with_returns',
      progress: { failed: { debits: 1, cents: debit?.cents } },
    },
  });
  const progress = { failed: { debits: 1, cents: debit?.cents }, cleared: { debits: 0, cents: 0 } };
  const listed = await call(contract.listRuns, { limit: '1' }, finance);
  expect(listed.body.rows).toMatchObject([{ state: 'complete_with_returns', progress }]);
  await api.rows`update debits set state = 'cleared' where run_date = ${wednesday}`;
  const cleared = await call(contract.listRuns, { limit: '1' }, finance);
  expect(cleared.body.rows).toMatchObject([
    { state: 'complete', progress: { cleared: { debits: 1, cents: debit?.cents }, failed: { debits: 0 } } },
  ]);
  expect((await call(contract.retrieveRun, { date: wednesday }, finance)).body.run.state).toBe('complete');
});

test('a suspension under a run of long ago can be ended on its page', async () => {
  const { finance } = await people();
  const longAgo = isoDate('2026-11-16');
  await suspendRuns(api.db, api.clock, { runDate: longAgo }, 'a debit was returned with code 8');
  expect((await call(contract.runDebits, { date: longAgo, how: 'forced' }, finance)).status).toBe(200);
  await resumeRuns(api.db, api.clock);
});

test('a fully sent run stays so while it suspends debiting, and after it is made again to resume', async () => {
  const { finance, owner } = await people();
  await waiting(10_00);
  await runDebits(api, wednesday);
  const read = async () => (await call(contract.retrieveRun, { date: wednesday }, finance)).body.run;
  const sent = await read();
  const noon = { now: () => new Date('2026-11-27T01:00:00Z') };
  await suspendRuns(api.db, noon, { runDate: wednesday }, 'a debit was returned with code 8');
  expect(await read()).toEqual({
    ...sent,
    suspendedAt: noon.now().toISOString(),
    suspendedBecause: 'a debit was returned with code 8',
  });
  const { body: state } = await call(contract.retrieveRunState, {}, finance);
  expect(state.suspension).toMatchObject({ date: wednesday, since: noon.now().toISOString() });

  api.clock.setTo('2026-11-27T02:00:00Z');
  await call(contract.runDebits, { date: wednesday, how: 'forced' }, finance);
  const { approvals } = (await call(contract.listApprovals, {}, owner)).body;
  expect(approvals[0]?.summary).toMatch(/^Debiting is resumed, and the run of Wed 25 Nov made once more: a debit was/);
  expect((await call(contract.agreeToApproval, { id: approvals[0]?.id }, owner)).status).toBe(200);
  expect(await read()).toMatchObject({
    state: 'waiting',
    debits: 1,
    plannedAt: sent.plannedAt,
    finishedAt: sent.finishedAt,
    resumedAt: '2026-11-27T02:00:00.000Z',
  });
});
