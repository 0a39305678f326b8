import { expect, test } from 'vitest';
import { ownDatabase } from '#testing/database.ts';
import { anAccount, aPurchase, aSupporter, type PurchaseOverrides, type TestSupporter } from '#testing/makers.ts';
import { recordRoundUps } from './record-round-ups.ts';

const database = ownDatabase();
let supporter: TestSupporter;

const coffee = (id: string, overrides: PurchaseOverrides = {}) =>
  aPurchase(supporter, { id, day: '2026-11-24', cents: 430, description: 'CORNER CAFE', ...overrides });

/** Records purchases and returns how many of them were new. */
async function bankShows(...purchases: ReturnType<typeof coffee>[]): Promise<number> {
  return (await recordRoundUps(database.bucket, new Date('2026-11-24T22:00:00Z'), purchases)).roundUps;
}

async function aNewSupporter(): Promise<void> {
  supporter = await aSupporter(database.bucket);
}

test('a transaction the bank re-issues under a new id is the same purchase', async () => {
  await aNewSupporter();
  expect(await bankShows(coffee('a'))).toBe(1);
  expect(await bankShows(coffee('b'))).toBe(0);
  expect(await bankShows(coffee('c'))).toBe(0);
});

test('two equal purchases shown together are two', async () => {
  await aNewSupporter();
  expect(await bankShows(coffee('a'), coffee('b'))).toBe(2);
});

test('a second equal purchase that is shown beside the first is one more', async () => {
  await aNewSupporter();
  expect(await bankShows(coffee('a'))).toBe(1);
  expect(await bankShows(coffee('a'), coffee('b'))).toBe(1);
  expect(await bankShows(coffee('a'), coffee('b'))).toBe(0);
});

test('two equal purchases both re-issued stay two', async () => {
  await aNewSupporter();
  expect(await bankShows(coffee('a'), coffee('b'))).toBe(2);
  expect(await bankShows(coffee('c'), coffee('d'))).toBe(0);
  expect(await bankShows(coffee('a'), coffee('e'))).toBe(0);
});

test('of two that are re-issued together with a third one only the third is new', async () => {
  await aNewSupporter();
  expect(await bankShows(coffee('a'), coffee('b'))).toBe(2);
  expect(await bankShows(coffee('c'), coffee('d'), coffee('e'))).toBe(1);
  const rows = await database.bucket`
    select occurrence from round_ups where supporter_id = ${supporter.supporterId} order by occurrence`;
  expect(rows.map((row) => row.occurrence)).toEqual([1, 2, 3]);
});

test('a purchase that disappears and comes back is not new', async () => {
  await aNewSupporter();
  expect(await bankShows(coffee('a'), coffee('b'))).toBe(2);
  expect(await bankShows(coffee('b'))).toBe(0);
  expect(await bankShows(coffee('a'), coffee('b'))).toBe(0);
});

test('case, spacing and the statement prefix make no other purchase', async () => {
  await aNewSupporter();
  expect(await bankShows(coffee('a', { description: 'Corner  Cafe ' }))).toBe(1);
  expect(await bankShows(coffee('b', { description: 'VISA DEBIT PURCHASE CARD 1234 24/11 CORNER CAFE' }))).toBe(0);
});

test.each<[string, () => Promise<PurchaseOverrides>]>([
  ['another amount', async () => ({ cents: 431 })],
  ['another day', async () => ({ day: '2026-11-23' })],
  ['another text', async () => ({ description: 'OTHER CAFE' })],
  ['another account', async () => ({ account: await anAccount(database.bucket, supporter) })],
])('%s is another purchase', async (_what, overrides) => {
  await aNewSupporter();
  await bankShows(coffee('a'));
  expect(await bankShows(coffee('b', await overrides()))).toBe(1);
});

test('a recorded transaction whose amount or text the bank changes later stays as recorded', async () => {
  await aNewSupporter();
  await bankShows(coffee('a'));
  expect(await bankShows(coffee('a', { cents: 520, description: 'CORNER CAFE SYDNEY' }))).toBe(0);
  const rows =
    await database.bucket`select purchase_cents from round_ups where supporter_id = ${supporter.supporterId}`;
  expect([...rows]).toEqual([{ purchase_cents: 430 }]);
});

test('equal purchases of two supporters are unrelated', async () => {
  await aNewSupporter();
  const first = coffee('a');
  await aNewSupporter();
  expect(await bankShows(first, coffee('a'))).toBe(2);
});
