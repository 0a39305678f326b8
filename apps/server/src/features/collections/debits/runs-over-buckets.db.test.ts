import { addDays, cents, isoDate } from '@sparechange/domain';
import { bucketOf } from '@sparechange/domain/bucket';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { supporterIdOf } from '#caller.ts';
import type { Pool } from '#db/connect.ts';
import { pollOutcomes } from '#features/collections/outcomes/poll-outcomes.ts';
import { lockAgainstPlanning } from '#features/core/ledger/planning-lock.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { aClub, aPurchase, forgetEverything, type TestSupporter, uidsInEachBucket } from '#testing/makers.ts';
import { previewRun } from './dry-run.ts';
import { holdSupporter, listHolds } from './hold-supporter.ts';
import { listRefusedRuns } from './record-refusal.ts';
import { runDebits, runDueDebits } from './run-debits.ts';
import { submitDebits } from './submit-debits.ts';
import { findSuspension, suspendRuns } from './suspended-runs.ts';
import { suspendTenant } from './suspended-tenants.ts';

const buckets = 4;
const api = ownApp({}, {}, buckets, { isJoined: false });
const [tuesday, wednesday, friday] = ['2026-11-24', '2026-11-25', '2026-11-27'].map(isoDate) as [never, never, never];

let people: TestSupporter[];
let takenBefore: number;

/** Two people in each bucket, with 70 cents waiting each. */
beforeEach(async () => {
  await forgetEverything(api.db);
  api.clock.setTo('2026-11-24T22:00:00Z');
  const clubId = await aClub(api.db);
  people = [];
  for (const uid of uidsInEachBucket(buckets, 2)) people.push(await api.supporter({ uid, clubId, step: 500 }));
  for (const person of people) await buy(person, 430);
  takenBefore = api.directDebit.taken.length;
});

const bucketOfPerson = ({ supporterId }: TestSupporter) => bucketOf(supporterId, buckets);
const dbOf = ({ supporterId }: TestSupporter) => api.db.of(supporterId);
const buy = (person: TestSupporter, ...amounts: number[]) =>
  recordRoundUps(
    dbOf(person),
    api.clock.now(),
    amounts.map((cents) => aPurchase(person, { cents })),
  );
const pause = (person: TestSupporter) => dbOf(person)`
  insert into pauses (supporter_id, paused_at, paused_on, reason)
  values (${person.supporterId}, now(), ${tuesday}, 'supporter')`;
const taken = () => api.directDebit.taken.slice(takenBefore);
const inBucket = (number: number): Pool => api.db.inBuckets()[number] as Pool;

interface TestDebit {
  run: string;
  cents: number;
  state: string;
  first: number;
  last: number;
}
const debitsOf = (person: TestSupporter) => dbOf(person)<TestDebit[]>`
  select run_date as run, amount_cents as cents, state, first_seq as first, last_seq as last from debits
  where supporter_id = ${person.supporterId} order by run_date`;
const debitsByBucket = async () => {
  const counts = api.db.inBuckets().map((bucket) => bucket<{ count: number }[]>`select count(*) as count from debits`);
  return (await Promise.all(counts)).map(([row]) => row?.count);
};
const runOf = async (date: string) =>
  (
    await api.db`
      select debits, cents, planned_at is not null as released, finished_at is not null as finished
      from debit_runs where run_date = ${date}`
  )[0];

/** Runs a statement with each debit written in a bucket, until that is undone or the test ends. */
async function atDebits(number: number, on: 'insert' | 'update', statement: string): Promise<void> {
  await inBucket(number).unsafe(`
    create or replace function disturb() returns trigger language plpgsql as $$ begin ${statement}; return null; end $$;
    create trigger disturb after ${on} on debits for each row execute function disturb()`);
}
const mend = (bucket: Pool) => bucket.unsafe('drop trigger if exists disturb on debits');
afterEach(async () => void (await Promise.all(api.db.inBuckets().map(mend))));

/** Makes a bucket fail when its debits are written. */
const breakDebits = (number: number, on: 'insert' | 'update') =>
  atDebits(number, on, `raise exception 'bucket ${number} is away'`);

test('a preview waits for no planner', async () => {
  await inBucket(0).begin(async (tx) => {
    await lockAgainstPlanning(tx);
    expect(await previewRun(api.db, api.clock, api.tenants, wednesday, 3)).toMatchObject({ debits: 8 });
  });
});

test('a run debits everybody in every bucket once, and control has its sum', async () => {
  const preview = await previewRun(api.db, api.clock, api.tenants, wednesday, 3);
  expect(preview).toMatchObject({ debits: 8, totalCents: 560, differences: { 'first debit': 8 } });
  expect(await debitsByBucket()).toEqual([0, 0, 0, 0]);
  expect(await runDebits(api)).toMatchObject({ planned: 8, submitted: 8, totalCents: 560, skipped: {} });
  expect(await debitsByBucket()).toEqual([2, 2, 2, 2]);
  expect(await runOf(wednesday)).toEqual({ debits: 8, cents: 560, released: true, finished: true });
  expect(await runDebits(api)).toMatchObject({ planned: 0, submitted: 0 });
  expect(await runOf(wednesday)).toMatchObject({ debits: 8, cents: 560 });
  expect(taken()).toHaveLength(8);
});

test('supporters left out are counted over all buckets', async () => {
  const [paused, , held, , skipping, , suspended] = people as [TestSupporter, ...TestSupporter[]];
  if (!held || !skipping || !suspended) throw new Error('too few people');
  await pause(paused);
  await holdSupporter(api.db, api.clock, held.supporterId, 'a dispute');
  await dbOf(
    skipping,
  )`insert into debit_skips (supporter_id, run_date, skipped_at) values (${skipping.supporterId}, ${wednesday}, now())`;
  await dbOf(
    suspended,
  )`update supporters set tenant_key = 'riverside-rovers' where supporter_id = ${suspended.supporterId}`;
  await suspendTenant({ ...api, actor: { kind: 'operating_system', id: 'robin' } }, 'riverside-rovers', 'a complaint');
  expect(await runDebits(api)).toMatchObject({
    planned: 4,
    submitted: 4,
    skipped: { paused: 1, 'on hold': 1, skipped: 1, 'tenant suspended': 1 },
  });
  expect(await listHolds(api.db)).toMatchObject([{ because: 'a dispute' }]);
});

/** Inserts runs of the last two weeks, and lets one person in each bucket have $399.20 waiting. */
async function muchInEachBucket(): Promise<void> {
  await runDebits(api, tuesday, { force: true });
  await api.db`
    insert into debit_runs (run_date, planned_at, finished_at, debits, cents)
    select day, day, day, 5, 300_00 from generate_series('2026-11-09'::date, '2026-11-23', interval '2 days') as day`;
  for (const person of people.filter((_, at) => at % 2 === 0)) await buy(person, ...Array<number>(80).fill(1));
  takenBefore = api.directDebit.taken.length;
}

test('a run that only its total shows to be unusual plans nobody in any bucket, and runs once it is confirmed', async () => {
  await muchInEachBucket();
  const planned = await debitsByBucket();
  await expect(runDueDebits(api, wednesday)).rejects.toThrow(
    /run of 4 debits and \$1,596\.80 is unusual.*where \$300\.00 is usual/,
  );
  expect(await findSuspension(api.db)).toMatchObject({ date: wednesday, isAnomaly: true });
  expect(await debitsByBucket()).toEqual(planned);
  const preview = await previewRun(api.db, api.clock, api.tenants, wednesday, 3);
  expect(preview).toMatchObject({ debits: 4, totalCents: 1_596_80, anomalies: [expect.stringContaining('$1,596.80')] });
  expect(preview.lines).toHaveLength(3);
  expect(await debitsByBucket()).toEqual(planned);
  expect(await runDebits(api, wednesday, { confirmed: cents(1_596_80) })).toMatchObject({ planned: 4, submitted: 4 });
});

/** Makes a run unusual through bucket 3's plan, after the others have committed. */
async function unusualInTheEnd(): Promise<void> {
  await muchInEachBucket();
  await api.db`update debit_runs set cents = 400_00 where planned_at is not null`; // $1,600.00 may be debited
  const late = people[7] as TestSupporter;
  await buy(late, 1);
  await pause(late);
  await atDebits(0, 'insert', 'update bucket_03.pauses set resumed_on = paused_on');
  await expect(runDebits(api, wednesday)).rejects.toMatchObject({ name: 'RunAnomaly' });
  await mend(inBucket(0));
}

test('round-ups counted while a run is planned are included, and nothing is submitted before it is confirmed', async () => {
  await unusualInTheEnd();
  expect(await runOf(wednesday)).toMatchObject({ released: false });
  expect(await submitDebits(api)).toMatchObject({ submitted: 0 });
  expect(taken()).toEqual([]);
  expect(await runDebits(api, wednesday, { confirmed: cents(1_601_79) })).toMatchObject({ submitted: 5 });
});

test('debits left by an unusual run make the next one unusual, and go once that is confirmed', async () => {
  await unusualInTheEnd();
  api.clock.setTo('2026-11-26T22:00:00Z');
  expect(await previewRun(api.db, api.clock, api.tenants, friday, 0)).toMatchObject({ anomalies: [expect.anything()] });
  await expect(runDebits(api, friday)).rejects.toThrow(/run of 5 debits and \$1,601\.79 is unusual/);
  expect(taken()).toEqual([]);
  expect(await runDebits(api, friday, { confirmed: cents(1_601_79) })).toMatchObject({ planned: 2, submitted: 5 });
});

test('debits left by a run suspended as unusual go with no other run, only once that run is confirmed', async () => {
  await unusualInTheEnd();
  await suspendRuns(api.db, api.clock, { runDate: wednesday }, 'unusual', cents(1_596_80));
  const tooLittle = cents(1_000_00);
  await expect(runDebits(api, wednesday, { confirmed: tooLittle })).rejects.toThrow('$1,000.00 was confirmed');
  api.clock.setTo('2026-11-26T22:00:00Z');
  expect(await previewRun(api.db, api.clock, api.tenants, friday, 0)).toMatchObject({ debits: 2 });
  expect(await runDebits(api, friday, { force: true })).toMatchObject({ planned: 2, submitted: 2 });
  expect(await runOf(wednesday)).toMatchObject({ released: false });
  expect(await runDebits(api, wednesday, { confirmed: cents(1_601_79) })).toMatchObject({ planned: 0, submitted: 3 });
});

test('a run interrupted between two buckets submits nothing, and is finished when it is started again', async () => {
  await breakDebits(2, 'insert');
  await expect(runDebits(api)).rejects.toThrow('bucket 2 is away');
  expect(await debitsByBucket()).toEqual([2, 2, 0, 0]);
  expect(await runOf(wednesday)).toEqual({ debits: 0, cents: 0, released: false, finished: false });
  expect(await submitDebits(api)).toMatchObject({ submitted: 0 });
  expect(taken()).toEqual([]);
  await mend(inBucket(2));
  expect(await runDebits(api)).toMatchObject({ planned: 4, submitted: 8, totalCents: 560 });
  expect(await runOf(wednesday)).toEqual({ debits: 8, cents: 560, released: true, finished: true });
  for (const person of people)
    expect(await debitsOf(person)).toMatchObject([{ run: wednesday, cents: 70, state: 'submitted' }]);
  expect(taken()).toHaveLength(8);
});

test('a released run that is planned again and fails half-way submits nothing more until it is released again', async () => {
  const late = people.slice(0, 4);
  for (const person of late) await pause(person);
  expect(await runDebits(api)).toMatchObject({ submitted: 4 });
  for (const { supporterId } of late)
    await api.db.of(supporterId)`update pauses set resumed_on = paused_on where supporter_id = ${supporterId}`;
  await breakDebits(1, 'insert');
  await expect(runDebits(api)).rejects.toThrow('bucket 1 is away');
  expect(await debitsByBucket()).toEqual([2, 0, 2, 2]);
  expect(await submitDebits(api)).toMatchObject({ submitted: 0 });
  expect(taken()).toHaveLength(4);
  await mend(inBucket(1));
  api.clock.setTo('2026-11-26T22:00:00Z');
  expect(await runDebits(api, friday)).toMatchObject({ planned: 2, submitted: 4 });
  expect(await runOf(wednesday)).toMatchObject({ debits: 6, cents: 420, released: true });
});

test('debits of a run that was never restarted go with the next one, each round-up once', async () => {
  await breakDebits(2, 'insert');
  await expect(runDebits(api)).rejects.toThrow('bucket 2 is away');
  await mend(inBucket(2));
  api.clock.setTo('2026-11-26T22:00:00Z');
  for (const person of people) await buy(person, 420);
  expect(await runDebits(api, friday)).toMatchObject({ planned: 8, submitted: 12, totalCents: 8 * 150 });
  for (const person of people) {
    const isLeft = bucketOfPerson(person) < 2;
    expect(await debitsOf(person)).toMatchObject(
      isLeft
        ? [
            { run: wednesday, cents: 70, first: 1, last: 1 },
            { run: friday, cents: 80, first: 2, last: 2 },
          ]
        : [{ run: friday, cents: 150, first: 1, last: 2 }],
    );
  }
  expect(await runOf(wednesday)).toMatchObject({ debits: 4, cents: 280, released: true });
  expect(await runOf(friday)).toMatchObject({ debits: 8, cents: 920, released: true });
});

test('a bucket that fails while its debits are submitted holds up no others, and is reported', async () => {
  await buyForMany(0, 60);
  await breakDebits(1, 'update');
  await expect(runDebits(api)).rejects.toThrow('bucket 1 is away');
  expect(taken()).toHaveLength(66);
  await mend(inBucket(1));
  expect(await runDebits(api)).toMatchObject({ planned: 0, submitted: 2 });
  expect(taken()).toHaveLength(68);
});

/** Makes more supporters of a bucket, with a purchase each. */
async function buyForMany(bucket: number, count: number): Promise<void> {
  const { clubId } = people[0] as TestSupporter;
  const uids = Array.from({ length: count * buckets * 2 }, (_, number) => `more-${number}`);
  const made = uids.filter((uid) => bucketOf(supporterIdOf(uid), buckets) === bucket).slice(0, count);
  for (const uid of made) await buy(await api.supporter({ uid, clubId }), 430);
}

test('a bucket with a long queue does not hold up the others', async () => {
  await buyForMany(0, 130);
  expect(await runDebits(api)).toMatchObject({ submitted: 138 });
  const others = new Set(people.slice(2).map((person) => person.email));
  const mandates = new Map(api.directDebit.mandates.map(({ mandateRef, email }) => [mandateRef, email]));
  const places = taken().flatMap(({ mandateRef = '' }, at) => (others.has(mandates.get(mandateRef) ?? '') ? [at] : []));
  expect(Math.max(...places)).toBeLessThan(5 + 6);
});

test('returned debits of every bucket are re-presented once, and refused ones are counted over all', async () => {
  await runDebits(api);
  for (const { id } of taken()) api.directDebit.return(id, 6);
  expect(await pollOutcomes(api)).toEqual({ cleared: 0, returned: 8, pending: 0 });
  api.clock.setTo('2026-11-26T22:00:00Z');
  api.directDebit.failNext('refused', 'refused');
  expect(await runDebits(api, friday)).toMatchObject({ planned: 8, submitted: 6, refused: { other: 2 } });
  expect(await listRefusedRuns(api.db, addDays(friday, -7))).toEqual([
    { date: friday, refused: 2, debits: 8, causes: { other: 2 } },
  ]);
});

test('a provider that refuses all collections suspends every bucket', async () => {
  api.directDebit.failNext('not permitted');
  await runDebits(api);
  expect(await findSuspension(api.db)).toMatchObject({ date: wednesday, isAnomaly: false });
  await expect(submitDebits(api)).rejects.toThrow('suspended');
});

test('nothing more is submitted after such an answer, even if it cannot be recorded', async () => {
  await atDebits(0, 'update', `if new.state = 'refused' then raise exception 'bucket 0 is away'; end if`);
  api.directDebit.failNext('not permitted');
  await expect(runDebits(api)).rejects.toThrow('bucket 0 is away');
  expect(taken()).toHaveLength(1); // sent together with the refused one
  expect(await findSuspension(api.db)).toMatchObject({ date: wednesday, isAnomaly: false });
});
