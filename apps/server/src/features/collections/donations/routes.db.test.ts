import * as contract from '@sparechange/contract';
import { expect, test } from 'vitest';
import { ownApp } from '#testing/app-under-test.ts';
import type { TestSupporter } from '#testing/makers.ts';

const api = ownApp();

const donate = ({ supporterId: cdrid, uid }: TestSupporter, amount: number, key?: string) =>
  api.call(
    contract.donateNow,
    { values: { amount, cdrid } },
    { uid, headers: key === undefined ? {} : { 'idempotency-key': key } },
  );
const donations = async ({ supporterId }: TestSupporter) => {
  const rows = await api.rows`
    select amount_cents from debits where supporter_id = ${supporterId} order by attempt`;
  return rows.map((row) => row.amount_cents);
};

test.each([
  [0.01, 1],
  [1.1, 110],
  [19.99, 1999],
  [64.1, 6410],
  [249.99, 24999],
  [250, 25000],
])('a donation of $%d is a debit of exactly %i cents', async (amount, amountCents) => {
  const supporter = await api.supporter();
  expect(await donate(supporter, amount, 'one')).toMatchObject({ status: 200, body: {} });
  expect(await donations(supporter)).toEqual([amountCents]);
});

test.each([
  [0, 'Amount is required'],
  [-5, 'Amount is required'],
  [250.01, 'Amount must be $250 or less'],
  [10.005, 'Amount must be in dollars and cents'],
])('a donation of $%d is refused: %s', async (amount, message) => {
  const supporter = await api.supporter();
  const answer = await donate(supporter, amount);
  expect([answer.status, answer.body.error.fields]).toEqual([400, { 'values.amount': message }]);
  expect(await donations(supporter)).toEqual([]);
});

test('a gift sent again under its key is one gift', async () => {
  const supporter = await api.supporter();
  const answers = await Promise.all([1, 2, 3].map(() => donate(supporter, 20, 'same')));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await donations(supporter)).toEqual([2000]);
});

test('a gift does not depend on the queue, which may be failing: it goes with a later minute', async () => {
  api.asked.length = 0;
  await donate(await api.supporter(), 20, 'one');
  expect(api.asked).toEqual([]);
});

test('the same key for another amount is refused, naming the amount received', async () => {
  const supporter = await api.supporter();
  await donate(supporter, 20, 'same');
  const answer = await donate(supporter, 21, 'same');
  expect([answer.status, answer.body.error.fields]).toEqual([
    400,
    { 'values.amount': 'Your donation of $20.00 was received. Press Cancel to undo it or to give more' },
  ]);
  expect(await donations(supporter)).toEqual([2000]);
});

test('without a key every call is a separate gift', async () => {
  const supporter = await api.supporter();
  await donate(supporter, 20);
  await donate(supporter, 20);
  expect(await donations(supporter)).toEqual([2000, 2000]);
});

test.each([['k'.repeat(101)], [''], ['two, keys'], ['kéy']])('%j is not a valid key', async (key) => {
  const supporter = await api.supporter();
  const answer = await donate(supporter, 20, key);
  expect([answer.status, Object.keys(answer.body.error.fields ?? {})]).toEqual([400, ['idempotency-key']]);
  expect(await donations(supporter)).toEqual([]);
});

test('a waiting gift is listed with the end of its ten minutes, and its donor can undo it', async () => {
  const [giver, other] = [await api.supporter(), await api.supporter()];
  await donate(giver, 20, 'gift');
  const record = async () =>
    (await api.call(contract.getUser, { userId: giver.uid }, { uid: giver.uid })).body.userRecord.document;
  const until = new Date(api.clock.now().getTime() + 600_000).toISOString().replace('.000', '');
  expect(await record()).toMatchObject({ undoableDonations: [{ requestId: 'gift', amountCents: 2000, until }] });
  const undo = ({ supporterId: cdrid, uid }: TestSupporter) =>
    api.call(contract.undoDonation, { cdrid, requestId: 'gift' }, { uid });
  api.clock.setTo(new Date(api.clock.now().getTime() + 700_000).toISOString());
  expect(await record()).toMatchObject({ undoableDonations: [{ requestId: 'gift', until }] });
  expect((await undo(other)).status).toBe(404);
  expect((await undo(giver)).status).toBe(200);
  expect(await record()).not.toHaveProperty('undoableDonations');
});
