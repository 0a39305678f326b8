import { randomUUID } from 'node:crypto';
import type { WeeklyLimit } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { ownDatabase } from '#testing/database.ts';
import { aClock, aPurchase, aSupporter, type TestSupporter } from '#testing/makers.ts';
import { saveWeeklyLimit } from './change-settings.ts';
import { recordRoundUps } from './record-round-ups.ts';

const database = ownDatabase();

const clock = aClock();

/** Posts purchases in order whose round-ups are these many cents. */
async function spend(supporter: TestSupporter, day: string, ...raw: number[]): Promise<void> {
  const purchases = raw.map((cents, at) =>
    aPurchase(supporter, { day, cents: 500 - cents, id: `${day} ${String(at).padStart(3, '0')} ${randomUUID()}` }),
  );
  await recordRoundUps(database.bucket, clock.now(), purchases);
}
const limit = (supporter: TestSupporter, to: WeeklyLimit) =>
  saveWeeklyLimit(database.bucket, clock, supporter.supporterId, to);
const aSupporterWith = (weeklyLimit: WeeklyLimit) => aSupporter(database.bucket, { weeklyLimit, step: 500 });
const counted = async ({ supporterId }: TestSupporter) => {
  const rows = await database.bucket<{ raw: number; counted: number }[]>`
    select raw_cents as raw, counted_cents as counted from round_ups where supporter_id = ${supporterId} order by seq`;
  return rows.map((row) => [row.raw, row.counted]);
};

test('the round-up that crosses the limit is cut, and later ones of the week count 0', async () => {
  const supporter = await aSupporterWith(750);
  await spend(supporter, '2026-11-24', 400, 400, 10, 300);
  expect(await counted(supporter)).toEqual([
    [400, 400],
    [400, 350],
    [10, 0],
    [300, 0],
  ]);
});

test('reaching the limit exactly cuts nothing', async () => {
  const supporter = await aSupporterWith(750);
  await spend(supporter, '2026-11-24', 400, 350, 1);
  expect(await counted(supporter)).toEqual([
    [400, 400],
    [350, 350],
    [1, 0],
  ]);
});

test('round-ups of other batches in the week count, however many batches there are', async () => {
  const supporter = await aSupporterWith(750);
  for (const day of ['2026-11-23', '2026-11-25', '2026-11-29']) await spend(supporter, day, 300);
  expect(await counted(supporter)).toEqual([
    [300, 300],
    [300, 300],
    [300, 150],
  ]);
});

test('a week is Monday to Sunday, and nothing is carried over', async () => {
  const supporter = await aSupporterWith(750);
  await spend(supporter, '2026-11-22', 400, 499);
  await spend(supporter, '2026-11-23', 400, 499);
  expect(await counted(supporter)).toEqual([
    [400, 400],
    [499, 350],
    [400, 400],
    [499, 350],
  ]);
});

test('one batch of several weeks and supporters is limited week by week and supporter by supporter', async () => {
  const [some, none] = [await aSupporterWith(750), await aSupporterWith(0)];
  const days = ['2026-11-16', '2026-11-22', '2026-11-23', '2026-11-29', '2026-11-30'];
  const batch = [some, none].flatMap((supporter) => days.map((day) => aPurchase(supporter, { day, cents: 1 })));
  await recordRoundUps(database.bucket, clock.now(), batch.toReversed());
  expect((await counted(some)).map(([, cents]) => cents)).toEqual([499, 251, 499, 251, 499]);
  expect((await counted(none)).map(([, cents]) => cents)).toEqual([499, 499, 499, 499, 499]);
});

test("within a batch the limit goes by the day of the purchase, not by the bank's order", async () => {
  const supporter = await aSupporterWith(750);
  const [late, early] = [
    aPurchase(supporter, { day: '2026-11-26', cents: 1 }),
    aPurchase(supporter, { day: '2026-11-24', cents: 1 }),
  ];
  await recordRoundUps(database.bucket, clock.now(), [late, early]);
  const rows = await database.bucket`
    select posted_on, counted_cents from round_ups where supporter_id = ${supporter.supporterId} order by seq`;
  expect([...rows]).toEqual([
    { posted_on: '2026-11-24', counted_cents: 499 },
    { posted_on: '2026-11-26', counted_cents: 251 },
  ]);
});

test('a raised limit applies from then on: dropped round-ups stay dropped', async () => {
  const supporter = await aSupporterWith(750);
  await spend(supporter, '2026-11-23', 499, 499);
  await limit(supporter, 1000);
  await spend(supporter, '2026-11-24', 300);
  expect(await counted(supporter)).toEqual([
    [499, 499],
    [499, 251],
    [300, 250],
  ]);
});

test("a limit lowered below the week's count lets nothing more count", async () => {
  const supporter = await aSupporterWith(1250);
  await spend(supporter, '2026-11-23', 499, 499);
  await limit(supporter, 750);
  await spend(supporter, '2026-11-24', 300);
  expect(await counted(supporter)).toEqual([
    [499, 499],
    [499, 499],
    [300, 0],
  ]);
});

test('round-ups counted while the limit was off count against it once it is on', async () => {
  const supporter = await aSupporterWith(0);
  await spend(supporter, '2026-11-23', 499);
  await limit(supporter, 750);
  await spend(supporter, '2026-11-24', 499);
  await limit(supporter, 0);
  await spend(supporter, '2026-11-25', 499);
  expect(await counted(supporter)).toEqual([
    [499, 499],
    [499, 251],
    [499, 499],
  ]);
});

test('only counted amounts are pledged', async () => {
  const supporter = await aSupporterWith(750);
  await spend(supporter, '2026-11-24', 499, 499, 499);
  const [pledged] = await database.bucket`
    select cents from ledger_balances where supporter_id = ${supporter.supporterId} and account = 'pledged'`;
  expect(pledged?.cents).toBe(750);
});
