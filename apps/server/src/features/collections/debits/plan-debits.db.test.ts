import { isoDate } from '@sparechange/domain';
import { expect, test } from 'vitest';
import type { Pool } from '#db/connect.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { emptiedDatabase } from '#testing/database.ts';
import { aClock, aPurchase, aSupporter, aTenant, someTenants, type TestSupporter } from '#testing/makers.ts';
import { planDebits } from './plan-debits.ts';

const database = emptiedDatabase();

const clock = aClock();
const tenants = someTenants(aTenant());
const [wednesday, friday, monday] = ['2026-11-25', '2026-11-27', '2026-11-30'].map(isoDate) as [never, never, never];

const planWith = (program: Pool, date: typeof wednesday) => planDebits(program, clock, tenants, date);
const plan = (date: typeof wednesday) => planWith(database.pool, date);
/** Connects as another process does, since those of one process take turns before they ask for a lock. */
const anotherProgram = () => database.open(3);
const spend = (supporter: TestSupporter, ...cents: number[]) =>
  recordRoundUps(
    database.pool.of(supporter.supporterId),
    clock.now(),
    cents.map((amount) => aPurchase(supporter, { cents: amount })),
  );
const debits = ({ supporterId }: TestSupporter) => database.rows`
  select run_date, attempt, amount_cents, savings_cents, first_seq, last_seq, represented_cents, state, represented_by is not null as repeated
  from debits where supporter_id = ${supporterId} order by run_date, id`;

test('all round-ups not yet debited make one debit', async () => {
  const supporter = await aSupporter(database.pool);
  await spend(supporter, 430, 125, 1000);
  expect(await plan(wednesday)).toEqual({ date: wednesday, planned: 1, totalCents: 145, skipped: {} });
  expect(await debits(supporter)).toMatchObject([
    {
      run_date: wednesday,
      attempt: 1,
      amount_cents: 145,
      savings_cents: 0,
      first_seq: 1,
      last_seq: 3,
      state: 'planned',
    },
  ]);
});

test('planning a day again changes nothing', async () => {
  const supporter = await aSupporter(database.pool);
  await spend(supporter, 430);
  await plan(wednesday);
  expect(await plan(wednesday)).toEqual({ date: wednesday, planned: 0, totalCents: 0, skipped: {} });
  expect(await debits(supporter)).toHaveLength(1);
});

test('planning a day again includes supporters who could not be planned before, and nobody twice', async () => {
  const [ready, late] = [await aSupporter(database.pool), await aSupporter(database.pool, { paused: true })];
  await spend(ready, 430);
  await database.rows`update pauses set resumed_on = '2026-11-02'`;
  await spend(late, 120);
  await database.rows`update pauses set resumed_on = null`;
  expect(await plan(wednesday)).toMatchObject({ planned: 1, skipped: { paused: 1 } });
  await database.rows`update pauses set resumed_on = '2026-11-25'`;
  await spend(ready, 510);
  expect(await plan(wednesday)).toEqual({
    date: wednesday,
    planned: 1,
    totalCents: 80,
    skipped: { 'already planned': 1 },
  });
});

test('the next run covers only round-ups after the last one', async () => {
  const supporter = await aSupporter(database.pool);
  await spend(supporter, 430, 125);
  await plan(wednesday);
  await spend(supporter, 110, 299);
  expect(await plan(friday)).toMatchObject({ planned: 1, totalCents: 91 });
  expect(await plan(monday)).toMatchObject({ planned: 0 });
  expect(await debits(supporter)).toMatchObject([
    { first_seq: 1, last_seq: 2, amount_cents: 145 },
    { first_seq: 3, last_seq: 4, amount_cents: 91 },
  ]);
});

test('two processes planning the same day plan it once', async () => {
  const supporters = await Promise.all(Array.from({ length: 8 }, () => aSupporter(database.pool)));
  for (const supporter of supporters) await spend(supporter, 430);
  const other = anotherProgram();
  try {
    const plans = await Promise.all([plan(wednesday), planWith(other, wednesday), plan(wednesday)]);
    expect(plans.map((done) => done.planned).sort()).toEqual([0, 0, 8]);
  } finally {
    await other.end();
  }
});

test('two processes planning different days debit nothing twice', async () => {
  const supporter = await aSupporter(database.pool);
  await spend(supporter, 430);
  await plan(wednesday);
  await database.rows`update debits set state = 'returned', return_code = 6`;
  const other = anotherProgram();
  const bucket = database.pool.of(supporter.supporterId);
  const oneWaits = async () =>
    (
      await bucket`
        select 1 from pg_locks join pg_database on pg_database.oid = database
        where not granted and datname = current_database()`
    ).length > 0;
  const { plans } = await bucket.begin(async (tx) => {
    await tx`lock table debits in share mode`;
    const planning = Promise.all([plan(friday), planWith(other, monday)]).finally(() => other.end());
    while (!(await oneWaits())) await new Promise((resolve) => setTimeout(resolve, 5));
    for (let look = 0; look < 50; look += 1) await oneWaits(); // the other planner asks for its turn in between
    return { plans: () => planning };
  });
  expect((await plans()).map((done) => done.planned).toSorted()).toEqual([0, 1]);
});

test('a supporter whose purchases are all exact multiples is not debited', async () => {
  const supporter = await aSupporter(database.pool);
  await spend(supporter, 400, 500);
  expect(await plan(wednesday)).toEqual({ date: wednesday, planned: 0, totalCents: 0, skipped: {} });
});

test('the reference on the statement is 18 capital letters and digits, different for each debit', async () => {
  const supporters = [await aSupporter(database.pool), await aSupporter(database.pool)];
  for (const supporter of supporters) await spend(supporter, 430);
  await plan(wednesday);
  const references = (await database.rows`select reference from debits`).map((row) => row.reference as string);
  expect(new Set(references).size).toBe(2);
  for (const reference of references) expect(reference).toMatch(/^RU[0-9A-F]{16}$/);
});
