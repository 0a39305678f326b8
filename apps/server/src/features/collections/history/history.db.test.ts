import { cents, type IsoDate, isoDate } from '@sparechange/domain';
import { beforeEach, expect, test } from 'vitest';
import { planDebits } from '#features/collections/debits/plan-debits.ts';
import { submitDebits } from '#features/collections/debits/submit-debits.ts';
import { requestDonation } from '#features/collections/donations/request-donation.ts';
import { applyOutcome } from '#features/collections/outcomes/apply-outcome.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { aPurchase, aSupporter, aTenant, cleared, returned, someTenants, type TestSupporter } from '#testing/makers.ts';
import { ownPayments } from '#testing/payment-deps.ts';
import { donatedByMonth, donatedTotal, listHistory } from './history-repository.ts';

const { database, clock, directDebit, deps } = ownPayments();
let supporter: TestSupporter;

const tenants = someTenants(aTenant());
beforeEach(async () => {
  supporter = await aSupporter(database.pool, { directDebit });
});

const buy = (day: string, amount: number, description = 'COFFEE') =>
  recordRoundUps(database.pool.of(supporter.supporterId), clock.now(), [
    aPurchase(supporter, { day, cents: amount, description }),
  ]);
async function debited(date: string): Promise<string> {
  await planDebits(database.pool, clock, tenants, isoDate(date));
  await submitDebits(deps());
  return directDebit.taken.at(-1)?.providerRef ?? '';
}
const total = (from: string | null = null) =>
  donatedTotal(database.pool.of(supporter.supporterId), supporter.supporterId, from as IsoDate | null);
const donated = async (from: string | null = null) => (await total(from)).cents;
const history = async () => {
  const lines = await listHistory(database.pool.of(supporter.supporterId), supporter.supporterId);
  return lines.map((line) => [line.day, line.countedCents, line.state]);
};

test('a recorded or planned round-up is not yet donated; a submitted one is', async () => {
  await buy('2026-11-24', 430);
  expect(await donated()).toBe(0);
  await planDebits(database.pool, clock, tenants, isoDate('2026-11-25'));
  expect(await donated()).toBe(0);
  await submitDebits(deps());
  expect(await donated()).toBe(70);
});

test('an amount that the bank has not confirmed stands beside its total', async () => {
  supporter = await aSupporter(database.pool, { directDebit, savings: true });
  await buy('2026-11-20', 430);
  await applyOutcome(deps(), cleared(await debited('2026-11-23')));
  expect(await total()).toEqual({ cents: 35, inFlightCents: 0 });
  await buy('2026-11-24', 455);
  const ref = await debited('2026-11-25');
  expect(await total()).toEqual({ cents: 58, inFlightCents: 23 });
  await applyOutcome(deps(), cleared(ref));
  expect(await total()).toEqual({ cents: 58, inFlightCents: 0 });
});

test('a returned amount is not donated, before or after clearing, until it is collected again', async () => {
  await buy('2026-11-24', 430);
  await applyOutcome(deps(), returned(await debited('2026-11-25'), 6));
  expect(await donated()).toBe(0);
  const again = await debited('2026-11-27');
  expect(await donated()).toBe(70);
  await applyOutcome(deps(), cleared(again));
  expect(await donated()).toBe(70);
  await applyOutcome(deps(), returned(again, 2));
  expect(await donated()).toBe(0);
});

test("of a debit only the club's part is donated, of a one-off donation everything", async () => {
  supporter = await aSupporter(database.pool, { directDebit, savings: true });
  await buy('2026-11-24', 455);
  await debited('2026-11-25');
  expect(await donated()).toBe(23);
  const gift = { amount: cents(1001), requestId: 'one' };
  await requestDonation(database.pool.of(supporter.supporterId), clock, tenants, supporter.supporterId, gift);
  await submitDebits(deps());
  expect(await donated()).toBe(1024);
});

test('a year is the calendar year of the debit', async () => {
  await buy('2026-11-24', 430);
  await debited('2026-12-31');
  await buy('2026-12-31', 420);
  await debited('2027-01-01');
  expect(await donated('2027-01-01')).toBe(80);
  expect(await donated('2026-01-01')).toBe(150);
});

test('months are listed newest first, without those in which nothing was donated', async () => {
  for (const [day, amount] of [
    ['2026-10-30', 430],
    ['2026-11-25', 420],
    ['2026-11-27', 410],
    ['2027-01-01', 499],
  ] as const) {
    await buy(day, amount);
    await debited(day);
  }
  expect([...(await donatedByMonth(database.pool.of(supporter.supporterId), supporter.supporterId))]).toEqual([
    { month: '2027-01-01', cents: 1 },
    { month: '2026-11-01', cents: 170 },
    { month: '2026-10-01', cents: 70 },
  ]);
});

test("nobody else's donations and purchases are counted or shown", async () => {
  await buy('2026-11-24', 430);
  await debited('2026-11-25');
  supporter = await aSupporter(database.pool, { directDebit });
  expect([await donated(), await history()]).toEqual([0, []]);
});

test('purchases are listed newest first, with the state of their spare change', async () => {
  await buy('2026-11-20', 400);
  await buy('2026-11-20', 430);
  const ref = await debited('2026-11-23');
  await applyOutcome(deps(), cleared(ref));
  await buy('2026-11-24', 420);
  await debited('2026-11-25');
  await buy('2026-11-26', 410);
  expect(await history()).toEqual([
    ['2026-11-26', 90, 'waiting'],
    ['2026-11-24', 80, 'submitted'],
    ['2026-11-20', 70, 'cleared'],
    ['2026-11-20', 0, 'none'],
  ]);
});

test('returned spare change waits, and then follows the debit that collects it again', async () => {
  await buy('2026-11-20', 430);
  await applyOutcome(deps(), returned(await debited('2026-11-23'), 6));
  expect(await history()).toEqual([['2026-11-20', 70, 'waiting']]);
  await buy('2026-11-24', 420);
  await applyOutcome(deps(), returned(await debited('2026-11-25'), 6));
  await database.rows`update pauses set resumed_on = '2026-11-25'`;
  const third = await debited('2026-11-27');
  expect(await history()).toEqual([
    ['2026-11-24', 80, 'submitted'],
    ['2026-11-20', 70, 'submitted'],
  ]);
  await applyOutcome(deps(), cleared(third));
  expect((await history()).map(([, , state]) => state)).toEqual(['cleared', 'cleared']);
  await applyOutcome(deps(), returned(third, 2));
  expect((await history()).map(([, , state]) => state)).toEqual(['returned', 'returned']);
});

test('only the newest lines of a long history are listed', async () => {
  for (const day of ['2026-11-24', '2026-11-23', '2026-11-22']) await buy(day, 430, `COFFEE ${day}`);
  const lines = await listHistory(database.pool.of(supporter.supporterId), supporter.supporterId, 2);
  expect(lines.map(({ day }) => day)).toEqual(['2026-11-24', '2026-11-23']);
});
