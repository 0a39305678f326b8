import { isoDate } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { emptiedDatabase } from '#testing/database.ts';
import { aClock, aPurchase, aSupporter, aTenant, someTenants, type TestSupporter } from '#testing/makers.ts';
import { planDebits } from './plan-debits.ts';

const database = emptiedDatabase();

const clock = aClock();
const monday = isoDate('2026-11-23');
const wednesday = isoDate('2026-11-25');
const friday = isoDate('2026-11-27');
const nextMonday = isoDate('2026-11-30');

const plan = (date: typeof monday) => planDebits(database.pool, clock, someTenants(aTenant()), date);
const spend = (supporter: TestSupporter, ...cents: number[]) =>
  recordRoundUps(
    database.pool.of(supporter.supporterId),
    clock.now(),
    cents.map((amount) => aPurchase(supporter, { cents: amount })),
  );
const comesBack = (date: typeof monday, state: 'returned' | 'refused' = 'returned') =>
  database.rows`update debits set state = ${state} where run_date = ${date}`;
const debits = async ({ supporterId }: TestSupporter) => {
  const rows = await database.rows<Record<string, unknown>[]>`
    select debit.run_date, debit.attempt, debit.amount_cents as cents, debit.represented_cents as represented, debit.first_seq,
      later.run_date as represented_on
    from debits debit left join debits later on later.supporter_id = debit.supporter_id and later.id = debit.represented_by
    where debit.supporter_id = ${supporterId} order by debit.run_date`;
  return [...rows];
};

test.each(['returned', 'refused'] as const)(
  'a %s debit is re-presented once with the next run and its new round-ups',
  async (state) => {
    const supporter = await aSupporter(database.pool);
    await spend(supporter, 430);
    await plan(monday);
    await comesBack(monday, state);
    await spend(supporter, 120);
    expect(await plan(wednesday)).toMatchObject({ planned: 1, totalCents: 150 });
    expect(await debits(supporter)).toEqual([
      { run_date: monday, attempt: 1, cents: 70, represented: 0, first_seq: 1, represented_on: wednesday },
      { run_date: wednesday, attempt: 2, cents: 150, represented: 70, first_seq: 2, represented_on: null },
    ]);
  },
);

test('a returned debit is re-presented once without new round-ups, and not a third time', async () => {
  const supporter = await aSupporter(database.pool);
  await spend(supporter, 430);
  await plan(monday);
  await comesBack(monday);
  expect(await plan(wednesday)).toMatchObject({ planned: 1, totalCents: 70 });
  expect(await plan(friday)).toMatchObject({ planned: 0 });
  expect(await debits(supporter)).toEqual([
    { run_date: monday, attempt: 1, cents: 70, represented: 0, first_seq: 1, represented_on: wednesday },
    { run_date: wednesday, attempt: 2, cents: 70, represented: 70, first_seq: null, represented_on: null },
  ]);
});

test('a re-presented debit that is returned as well is re-presented in turn, and so forth', async () => {
  const supporter = await aSupporter(database.pool);
  await spend(supporter, 430);
  for (const day of [monday, wednesday, friday]) {
    await plan(day);
    await comesBack(day);
  }
  await plan(nextMonday);
  expect(await debits(supporter)).toMatchObject([
    { run_date: monday, attempt: 1, represented_on: wednesday },
    { run_date: wednesday, attempt: 2, represented_on: friday },
    { run_date: friday, attempt: 3, represented_on: nextMonday },
    { run_date: nextMonday, attempt: 4, cents: 70, represented: 70, represented_on: null },
  ]);
});

test('two returned debits are collected again by one', async () => {
  const supporter = await aSupporter(database.pool);
  await spend(supporter, 430);
  await plan(monday);
  await spend(supporter, 120);
  await plan(wednesday);
  await comesBack(monday);
  await comesBack(wednesday);
  expect(await plan(friday)).toMatchObject({ planned: 1, totalCents: 150 });
  expect(await debits(supporter)).toMatchObject([
    { represented_on: friday },
    { represented_on: friday },
    { cents: 150, represented: 150, attempt: 2 },
  ]);
});

test('a debit returned after the day was planned waits for the next run', async () => {
  const supporter = await aSupporter(database.pool);
  for (const [day, amount] of [
    [monday, 430],
    [wednesday, 120],
  ] as const) {
    await spend(supporter, amount);
    await plan(day);
  }
  await comesBack(monday);
  await plan(friday);
  await comesBack(wednesday);
  await plan(friday);
  expect(await debits(supporter)).toMatchObject([
    { run_date: monday, represented_on: friday },
    { run_date: wednesday, represented_on: null },
    { run_date: friday, cents: 70 },
  ]);
  expect(await plan(nextMonday)).toMatchObject({ planned: 1, totalCents: 80 });
});

test('a debit returned while the next run is being planned is not lost', async () => {
  const supporters = await Promise.all(Array.from({ length: 20 }, () => aSupporter(database.pool)));
  for (const supporter of supporters) await spend(supporter, 430);
  await plan(monday);
  for (const supporter of supporters) await spend(supporter, 120);
  await plan(wednesday);
  await comesBack(monday);
  await Promise.all([plan(friday), comesBack(wednesday)]);
  const wrong = await database.rows`
    select again.supporter_id from debits again
    where again.represented_cents <> (select coalesce(sum(amount_cents), 0) from debits failed
      where failed.supporter_id = again.supporter_id and failed.represented_by = again.id)`;
  expect([...wrong]).toEqual([]);
});

test('a debit reversed after it had cleared is not re-presented', async () => {
  const supporter = await aSupporter(database.pool);
  await spend(supporter, 430);
  await plan(monday);
  await database.rows`update debits set state = 'reversed'`;
  expect(await plan(wednesday)).toMatchObject({ planned: 0 });
});

test('a returned one-off donation is not re-presented', async () => {
  const supporter = await aSupporter(database.pool);
  await spend(supporter, 430);
  await plan(monday);
  await database.rows`update debits set kind = 'donation', first_seq = null, last_seq = null, state = 'returned'`;
  expect(await plan(wednesday)).toMatchObject({ planned: 1, totalCents: 70 });
  expect((await debits(supporter)).map((debit) => debit.represented)).toEqual([0, 0]);
});
