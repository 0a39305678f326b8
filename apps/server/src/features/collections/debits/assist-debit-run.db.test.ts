import { isoDate } from '@sparechange/domain';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Pool } from '#db/connect.ts';
import { auditBooks } from '#features/core/ledger/audit-books.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import type { DirectDebit } from '#ports/direct-debit.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { type FakeDirectDebit, fakeDirectDebit } from '#testing/fake-direct-debit.ts';
import { aClub, aPurchase, forgetEverything, uidsInEachBucket } from '#testing/makers.ts';
import { type RunDeps, runDebits, runDueDebits } from './run-debits.ts';
import { debitRunAssistant, resubmitDebits } from './submit-debits.ts';
import { findSuspension, resumeRuns, suspendRuns } from './suspended-runs.ts';

const buckets = 4;
const api = ownApp({}, {}, buckets, { isJoined: false });
const wednesday = isoDate('2026-11-25');

let other: Pool;
beforeAll(() => {
  other = api.database.open(5);
});
afterAll(() => other.end());

let directDebit: FakeDirectDebit;
const deps = () => ({ ...api, directDebit });
const taken = () => directDebit.taken.map(({ id }) => id);

/** Two people in each bucket, each with a round-up of 70 cents. */
beforeEach(async () => {
  await forgetEverything(api.db);
  api.clock.setTo('2026-11-24T22:00:00Z');
  directDebit = fakeDirectDebit({ now: () => api.clock.now() });
  const clubId = await aClub(api.db);
  for (const uid of uidsInEachBucket(buckets, 2)) {
    const person = await api.supporter({ uid, clubId, step: 500, directDebit });
    await recordRoundUps(api.db.of(person.supporterId), api.clock.now(), [aPurchase(person, { cents: 430 })]);
  }
});

/** Starts a leader whose first batch, of bucket 0, stays in progress until released. */
async function leader(run: (deps: RunDeps) => Promise<unknown>) {
  const { promise: isUnderWay, resolve: begins } = Promise.withResolvers<void>();
  const { promise: mayGoOn, resolve: letGo } = Promise.withResolvers<void>();
  const slow: DirectDebit = {
    ...directDebit,
    submitDebits: async (orders) => {
      begins();
      await mayGoOn;
      return directDebit.submitDebits(orders);
    },
  };
  const ended = run({ ...api, directDebit: slow });
  ended.catch(() => undefined); // awaited by the test
  await isUnderWay;
  return { ended, letGo };
}

const stays = new AbortController().signal;
const assist = (provider: DirectDebit = directDebit, stopping = stays) =>
  debitRunAssistant({ ...api, db: other, directDebit: provider })(stopping);
const due = (deps: RunDeps) => runDueDebits(deps, wednesday);
const isFinished = async () =>
  (await api.db`select finished_at is not null as finished from debit_runs where run_date = ${wednesday}`)[0]?.finished;

async function eachDebitOnce(): Promise<void> {
  expect([taken().length, new Set(taken()).size]).toEqual([8, 8]);
  expect((await auditBooks(api.db)).violations).toEqual([]);
}

test('a second worker submits in the buckets that the leader of a run leaves free', async () => {
  const { ended, letGo } = await leader(due);
  const assisting = assist();
  await vi.waitFor(() => expect(taken()).toHaveLength(6), 60_000);
  expect(await isFinished()).toBe(false);
  letGo();
  expect(await ended).toMatchObject({ planned: 8, submitted: 2 });
  expect(await assisting).toMatchObject({ submitted: 6, totalCents: 420 });
  expect(await isFinished()).toBe(true);
  expect(await assist()).toBeUndefined();
  await eachDebitOnce();
});

test('nobody assists a run that an operator started, for instance after a restore', async () => {
  const { ended, letGo } = await leader((deps) => runDebits(deps));
  expect(await assist()).toBeUndefined();
  letGo();
  expect(await ended).toMatchObject({ submitted: 8 });
});

test('nobody assists a run whose leader was killed; the next run takes over', async () => {
  directDebit.failNext('crash before effect');
  await expect(due(deps())).rejects.toThrow('crash before effect');
  await api.db`update debit_runs set shared_since = now()`; // state that a killed process leaves
  expect(await assist()).toBeUndefined();
  await due(deps());
  await resubmitDebits(deps());
  await eachDebitOnce();
});

test("nobody assists a retry of a killed leader's payments; the rest goes with the next run", async () => {
  const { ended, letGo } = await leader(due);
  await suspendRuns(api.db, api.clock, { runDate: wednesday }, 'the test ends the run here');
  directDebit.failNext('time-out before effect');
  letGo();
  await ended;
  await resumeRuns(api.db, api.clock);
  await api.db`update debit_runs set shared_since = now()`; // state that a killed process leaves
  api.clock.setTo('2026-11-25T22:00:00Z');
  const asking = await leader(resubmitDebits);
  expect(await assist()).toBeUndefined();
  asking.letGo();
  expect(await asking.ended).toMatchObject({ submitted: 1 });
  expect(taken()).toHaveLength(2);
});

test('a second worker goes round once: its own network may be down, which must not stop others', async () => {
  const { ended, letGo } = await leader(due);
  const submitDebits = async (orders: { id: string }[]) =>
    orders.map(({ id }) => ({ id, result: 'unknown', reason: 'down' }) as const);
  const assistant = debitRunAssistant({ ...api, db: other, directDebit: { ...directDebit, submitDebits } });
  expect(await assistant(stays)).toMatchObject({ submitted: 0, unknown: 5 });
  expect(await assistant(stays)).toBeUndefined();
  letGo();
  expect(await ended).toMatchObject({ submitted: 3 });
  await resubmitDebits(deps());
  await eachDebitOnce();
});

test('an assistant stuck in a bucket holds up no other task: the run ends without it, and is tried again', async () => {
  const { promise: hangs, resolve: wakeUp } = Promise.withResolvers<void>();
  const { promise: isUnderWay, resolve: begins } = Promise.withResolvers<void>();
  const { ended, letGo } = await leader((each) => due({ ...each, patienceMs: 100 }));
  const assisting = assist({
    ...directDebit,
    submitDebits: async (orders) => {
      begins();
      await hangs;
      return directDebit.submitDebits(orders);
    },
  });
  await isUnderWay;
  letGo();
  await expect(ended).rejects.toThrow('Another process has been submitting in bucket_01');
  expect([taken().length, await isFinished()]).toEqual([6, false]);
  wakeUp();
  await assisting;
  await due(deps());
  expect(await isFinished()).toBe(true);
  await eachDebitOnce();
});

test('suspending debiting in the middle of a run ends it with the current batch, everywhere', async () => {
  const { ended, letGo } = await leader(due);
  await suspendRuns(api.db, api.clock, { runDate: wednesday }, 'a return with code 8');
  expect(await assist()).toBeUndefined();
  letGo();
  expect(await ended).toMatchObject({ submitted: 2 });
  expect([taken().length, await isFinished()]).toEqual([2, false]);
  expect(await runDebits(deps(), wednesday, { force: true })).toMatchObject({ submitted: 6 });
  expect(await findSuspension(api.db)).toBeUndefined();
  await eachDebitOnce();
});

test("an assistant that stops starts no further batch, and a killed one's work is found again", async () => {
  const { ended, letGo } = await leader(due);
  const stopping = new AbortController();
  const killed: DirectDebit = {
    ...directDebit,
    submitDebits: async (orders) => {
      await directDebit.submitDebits(orders);
      stopping.abort();
      throw new Error('killed after the provider had them');
    },
  };
  await expect(assist(killed, stopping.signal)).rejects.toThrow('killed');
  expect(taken()).toHaveLength(2);
  letGo();
  await ended;
  await resubmitDebits(deps());
  await eachDebitOnce();
});
