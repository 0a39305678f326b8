import { cents, isoDate } from '@sparechange/domain';
import { pino } from 'pino';
import { beforeEach, expect, test } from 'vitest';
import type { Pool } from '#db/connect.ts';
import { rowsOf } from '#db/in-each-bucket.ts';
import { checkNotifiedMandates } from '#features/collections/debits/check-mandates.ts';
import { watchRuns } from '#features/collections/debits/detect-missed-runs.ts';
import { runDebits } from '#features/collections/debits/run-debits.ts';
import { findSuspension } from '#features/collections/debits/suspended-runs.ts';
import { requestDonation, submitDonations, undoableForMs } from '#features/collections/donations/request-donation.ts';
import { applyOutcomes } from '#features/collections/outcomes/apply-outcome.ts';
import { pollOutcomes } from '#features/collections/outcomes/poll-outcomes.ts';
import { planRepayment } from '#features/disbursements/repayments/plan-repayment.ts';
import { depositSavings } from '#features/disbursements/savings/deposit-savings.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { whileRefused } from '#testing/disturbed-buckets.ts';
import { aClub, aPurchase, cleared, forgetEverything, type TestSupporter, uidsInEachBucket } from '#testing/makers.ts';
import { balancesOf } from '#testing/money-day.ts';
import { timeOf } from '#testing/timetable.ts';
import { failPayment, findPayment, parkPayment, resubmitPayments, retryParked } from './decide-payment.ts';

const buckets = 4;
const api = ownApp({}, {}, buckets, { isJoined: false });
const deps = () => ({ ...api, mailFrom: 'Sparechange <hello@sparechange.example>' });
const wednesday = isoDate('2026-11-25');

let people: TestSupporter[];
let takenBefore: number;

/** A saver in each bucket, with 70 cents waiting. */
beforeEach(async () => {
  await forgetEverything(api.db);
  api.clock.setTo('2026-11-24T22:00:00Z');
  const clubId = await aClub(api.db);
  people = [];
  for (const uid of uidsInEachBucket(buckets, 1)) people.push(await api.supporter({ uid, clubId, savings: true }));
  for (const person of people) await recordRoundUps(dbOf(person), api.clock.now(), [aPurchase(person)]);
  takenBefore = api.directDebit.taken.length;
});

const dbOf = ({ supporterId }: TestSupporter) => api.db.of(supporterId);
const inBucket = (number: number): Pool => api.db.inBuckets()[number] as Pool;
const person = (number: number): TestSupporter => people[number] as TestSupporter;
const taken = () => api.directDebit.taken.slice(takenBefore);
const balances = () => Promise.all(people.map((each) => balancesOf(dbOf(each), each)));
const clearAll = () => {
  for (const { id } of taken()) api.directDebit.clear(id);
};

/** Runs work while a bucket lacks a table; restores it. */
async function without(table: string, number: number, work: () => Promise<unknown>): Promise<void> {
  await inBucket(number).unsafe(`alter table ${table} rename to ${table}_away`);
  try {
    await work();
  } finally {
    await inBucket(number).unsafe(`alter table ${table}_away rename to ${table}`);
  }
}

/** Clears a debit of everybody. */
async function debited(): Promise<void> {
  await runDebits(api);
  clearAll();
  await pollOutcomes(api);
}

test('one page of outcomes is applied in the bucket of each payment, without exception', async () => {
  await runDebits(api);
  const [first, second, third] = taken().map(({ id }) => id);
  for (const id of [first, second]) api.directDebit.clear(id ?? '');
  api.directDebit.return(third ?? '', 6);
  const stranger = { id: 'not-ours', mandateRef: api.directDebit.mandates.at(-1)?.mandateRef ?? '', amount: cents(9) };
  await api.directDebit.submitDebits([{ ...stranger, remitter: 'X', reference: 'X1', dueOn: wednesday }]);
  api.directDebit.clear('not-ours');
  expect(await pollOutcomes(api)).toEqual({ cleared: 2, returned: 1, pending: 1 });
  expect(await pollOutcomes(api)).toEqual({ cleared: 0, returned: 0, pending: 1 });
});

test('outcomes of the others are applied where a bucket fails, and its own by the next poll', async () => {
  await runDebits(api);
  clearAll();
  const readUntil = () => api.db`select read_until from poll_cursors where name = 'outcomes'`;
  await without('debits', 1, () => expect(pollOutcomes(api)).rejects.toThrow('debits'));
  expect(await readUntil()).toEqual([]);
  expect(await pollOutcomes(api)).toMatchObject({ cleared: 1, pending: 0 });
  expect(await readUntil()).toHaveLength(1);
  expect(await balances()).toEqual(people.map(() => ({ cash: 70, club_payable: 35, savings_payable: 35 })));
});

test('an outcome that a bucket cannot book does not hold up the others, raises an alarm, and is booked by the next poll', async () => {
  await runDebits(api);
  clearAll();
  await without('ledger_entries', 1, async () =>
    expect(await pollOutcomes(api)).toMatchObject({ cleared: 3, pending: 1 }),
  );
  const alarms = await api.db`select name from alarms where name = 'outcome_not_booked'`;
  expect(alarms).toHaveLength(1);
  expect(await pollOutcomes(api)).toMatchObject({ cleared: 1, pending: 0 });
});

test('many outcomes that one bucket cannot book leave out none of another bucket', async () => {
  const gift = (number: number) => ({ amount: cents(100), requestId: `gift ${number}` });
  for (let number = 0; number < 19; number += 1)
    await requestDonation(dbOf(person(1)), api.clock, api.tenants, person(1).supporterId, gift(number));
  for (const number of [0, 1])
    await requestDonation(dbOf(person(2)), api.clock, api.tenants, person(2).supporterId, gift(number));
  await runDebits(api);
  await submitDonations(api);
  clearAll();
  await without('ledger_entries', 1, () =>
    whileRefused(inBucket(2), 'update on debits', `new.request_id = 'gift 0'`, async () =>
      expect(await pollOutcomes(api)).toMatchObject({ cleared: 4 }),
    ),
  );
});

test('outcomes of found payments are applied although another bucket fails; others are retried', async () => {
  await runDebits(api);
  const [first = '', second = ''] = taken().map(({ providerRef }) => providerRef);
  await without('debits', 3, async () => {
    expect(await applyOutcomes(api, [cleared(first), cleared(second)])).toEqual(['cleared', 'cleared']);
    await expect(applyOutcomes(api, [cleared('somebody else')])).rejects.toThrow('debits');
  });
  expect(await applyOutcomes(api, [cleared('somebody else')])).toEqual([]);
});

test('code 8 in one bucket suspends debiting in control, once', async () => {
  await runDebits(api);
  api.directDebit.return(taken()[2]?.id ?? '', 8);
  await pollOutcomes(api);
  expect(await findSuspension(api.db)).toMatchObject({ date: wednesday, because: expect.stringContaining('code 8') });
  await api.db`update debit_runs set resumed_at = now()`;
  await pollOutcomes(api);
  expect(await findSuspension(api.db)).toBeUndefined();
});

test('deposits of the others go although a bucket fails, and its own with the next run', async () => {
  await debited();
  api.clock.setTo('2026-11-30T23:30:00Z');
  takenBefore = api.directDebit.taken.length;
  await without('deposits', 1, () => expect(depositSavings(deps())).rejects.toThrow('deposits'));
  expect(taken()).toHaveLength(3);
  expect(await depositSavings(deps())).toMatchObject({ deposits: 1 });
});

/** Lets everybody ask to give $25. */
async function give(): Promise<void> {
  for (const { supporterId } of people) {
    const gift = { amount: cents(25_00), requestId: 'gift', heldForMs: undoableForMs };
    await requestDonation(api.db.of(supporterId), api.clock, api.tenants, supporterId, gift);
  }
}

test('donations of the others go although a bucket fails, and its own the next time', async () => {
  await give();
  api.clock.setTo('2026-11-24T22:10:00Z');
  await without('debits', 2, () => expect(submitDonations(api)).rejects.toThrow('debits'));
  expect(taken()).toHaveLength(3);
  expect(await submitDonations(api)).toMatchObject({ submitted: 1 });
});

test('an unresponsive provider gets five debits, regardless of their buckets', async () => {
  const known = people.map(({ uid }) => uid);
  for (const uid of uidsInEachBucket(buckets, 3).filter((uid) => !known.includes(uid)))
    people.push(await api.supporter({ uid }));
  for (const person of people.slice(buckets)) await recordRoundUps(dbOf(person), api.clock.now(), [aPurchase(person)]);
  api.directDebit.neverAnswer(() => true);
  await expect(runDebits(api)).rejects.toMatchObject({ code: 'provider-unavailable' });
  const unanswered = await rowsOf(
    api.db.inBuckets(),
    (bucket) => bucket`select from debits where state = 'submitting'`,
  );
  expect(unanswered).toHaveLength(5);
  api.directDebit.neverAnswer(() => false);
  api.clock.setTo(new Date(api.clock.now().getTime() + 31_000).toISOString());
  expect(await runDebits(api)).toMatchObject({ submitted: people.length });
});

test('a parked payment that cannot be retried does not hold up others, and the rest is counted', async () => {
  api.clock.setTo('2026-12-01T22:00:00Z');
  api.directDebit.setUnreachable(true);
  await runDebits(api);
  api.directDebit.setUnreachable(false);
  for (const each of people) {
    const [debit] = await dbOf(each)<{ reference: string }[]>`select reference from debits`;
    await parkPayment(deps(), await findPayment(api.db, debit?.reference ?? ''), 'an outage');
  }
  await whileRefused(inBucket(0), 'update on debits', 'new.parked_at is null', () =>
    expect(retryParked(deps())).rejects.toThrow('refused'),
  );
  expect(taken()).toHaveLength(3);
  expect(await retryParked(deps(), 0)).toEqual({ retried: 0, left: 1 });
  expect(await retryParked(deps())).toEqual({ retried: 1, left: 0 });
});

test('unanswered payments of any bucket are decided in it', async () => {
  api.clock.setTo('2026-11-26T22:00:00Z'); // the provider has references of Wednesday
  api.directDebit.setUnreachable(true);
  await runDebits(api);
  api.directDebit.setUnreachable(false);
  const references = await Promise.all(
    people.map(async (each) => (await dbOf(each)<{ reference: string }[]>`select reference from debits`)[0]?.reference),
  );
  const [given = '', ...parked] = references;
  api.clock.setTo('2026-11-26T23:00:00Z');
  expect(await failPayment(deps(), await findPayment(api.db, given), 'never sent')).toBe(true);
  for (const reference of parked) await parkPayment(deps(), await findPayment(api.db, reference ?? ''), 'an outage');
  expect(await retryParked(deps())).toEqual({ retried: 3, left: 0 });
  expect(taken()).toHaveLength(3);
  const noted = api.db.inBuckets().map(
    (bucket) => bucket<{ action: string }[]>`
    select distinct action from audit_log where action like 'payment %' order by 1`,
  );
  const actions = (await Promise.all(noted)).map((rows) => rows.map(({ action }) => action));
  const retried = ['payment parked', 'payment retried'];
  expect(actions).toEqual([['payment failed'], retried, retried, retried]);
});

test('ended mandates are recorded in the bucket of each', async () => {
  const refs = api.directDebit.mandates.slice(-buckets).map(({ mandateRef }) => mandateRef);
  api.directDebit.cancelAtBank(...refs);
  await checkNotifiedMandates(api, refs);
  for (const bucket of api.db.inBuckets())
    expect(await bucket`select cancelled_at from mandates`).toEqual([{ cancelled_at: api.clock.now() }]);
});

test("a debit of a failing bucket prevents neither other payments' look-up nor the operator's alarm", async () => {
  await debited();
  const { supporterId } = person(0);
  const [debit] = await dbOf(person(0))<{ id: string }[]>`select id from debits where supporter_id = ${supporterId}`;
  await planRepayment(api, { supporterId, debitId: debit?.id ?? '', reason: 'a mistake' });
  await api.db`insert into timetable_runs (task, due_at, finished_at) values ('sync', ${timeOf('sync', '2026-11-24')}, now())`;
  await api.db`update debit_runs set finished_at = null`;
  await without('debits', 3, async () => {
    await expect(resubmitPayments(deps())).rejects.toThrow('2 of them failed');
    await expect(watchRuns({ ...api, log: pino({ level: 'silent' }) })).rejects.toThrow();
  });
  expect(await dbOf(person(0))`select state from repayments`).toMatchObject([{ state: 'submitted' }]);
  expect(await api.db`select name from alarms`).toMatchObject([{ name: 'debit_run_missed' }]);
});
