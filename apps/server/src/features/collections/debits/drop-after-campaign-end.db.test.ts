import { isoDate } from '@sparechange/domain';
import { beforeEach, expect, test } from 'vitest';
import { listHistory } from '#features/collections/history/history-repository.ts';
import { nextDebitOf } from '#features/collections/next-debit/next-debit.ts';
import { applyOutcome } from '#features/collections/outcomes/apply-outcome.ts';
import { buildTimeline } from '#features/core/timeline/build-timeline.ts';
import { deleteBankData } from '#features/supporters/offboarding/delete-bank-data.ts';
import { userRecord } from '#features/supporters/profiles/user-record.ts';
import { recordPurchaseRefunds } from '#features/supporters/purchase-refunds/record-purchase-refunds.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { inBucketOf } from '#testing/database.ts';
import {
  aPurchase,
  aPurchaseRefund,
  aSupporter,
  aTenant,
  cleared,
  returned,
  someTenants,
  type TestSupporter,
} from '#testing/makers.ts';
import { balancesOf } from '#testing/money-day.ts';
import { ownPayments } from '#testing/payment-deps.ts';
import { planDebits } from './plan-debits.ts';
import { submitDebits } from './submit-debits.ts';

const { database, clock, directDebit, deps } = ownPayments();
const running = someTenants(aTenant());
const ended = someTenants(aTenant({ endsOn: '2026-11-27' }));
let supporter: TestSupporter;
beforeEach(async () => {
  on('2026-11-25');
  supporter = await aSupporter(database.pool, { directDebit });
});

const on = (day: string) => clock.setTo(`${day}T00:00:00Z`);
const buys = (price: number, day: string) =>
  recordRoundUps(database.pool.of(supporter.supporterId), clock.now(), [aPurchase(supporter, { cents: price, day })]);
async function run(day: string, tenants = ended) {
  on(day);
  const { planned, skipped } = await planDebits(database.pool, clock, tenants, isoDate(day));
  await submitDebits(deps());
  return { planned, skipped };
}
const balances = () => balancesOf(database.pool, supporter);
const drops = () => database.rows<{ day: string; counted: number; failed: number }[]>`
  select dropped_on as day, counted_cents as counted, failed_cents as failed from campaign_drops order by dropped_at`;
const record = (tenants = ended) =>
  userRecord({ db: database.pool.of(supporter.supporterId), clock, tenants }, supporter.supporterId);

test('round-ups waiting when a campaign has ended are dropped with the next run, booked once, and shown as before', async () => {
  await buys(455, '2026-11-24');
  expect(await balances()).toEqual({ pledged: 45, promised: 45 });
  on('2026-11-27');
  expect(await record()).toMatchObject({ campaignEnded: { on: '2026-11-27', droppedCents: 45 } });
  for (const day of ['2026-11-27', '2026-11-30']) await run(day);
  expect(await balances()).toEqual({});
  expect(await drops()).toEqual([{ day: '2026-11-27', counted: 45, failed: 0 }]);
  expect(await record()).toMatchObject({ campaignEnded: { on: '2026-11-27', droppedCents: 45 } });
  const { events } = await buildTimeline(database.pool.of(supporter.supporterId), supporter.supporterId);
  expect(events.map(({ sentence }) => sentence)).toContainEqual(
    expect.stringMatching(/has ended: \$0\.45 of round-ups not yet debited was dropped/),
  );
});

test('a debit under way completes, and amounts returned from it are dropped by a later run', async () => {
  await buys(455, '2026-11-24');
  await run('2026-11-25', running);
  await buys(470, '2026-11-26');
  await run('2026-11-27');
  expect(await balances()).toEqual({ in_flight: 45, promised: 45 });
  await applyOutcome(deps(), returned(directDebit.taken[0]?.providerRef ?? '', 6));
  expect(await balances()).toEqual({ pledged: 45, promised: 45 });
  await run('2026-11-30');
  expect(await balances()).toEqual({});
  expect(await drops()).toEqual([
    { day: '2026-11-27', counted: 30, failed: 0 },
    { day: '2026-11-30', counted: 0, failed: 45 },
  ]);
  expect(await record()).toMatchObject({ campaignEnded: { droppedCents: 75 } });
  const { events } = await buildTimeline(database.pool.of(supporter.supporterId), supporter.supporterId);
  expect(events.map(({ sentence }) => sentence)).toContainEqual(
    expect.stringContaining('was dropped: the campaign has ended'),
  );
});

test('deleting the bank data afterwards drops nothing a second time', async () => {
  await buys(455, '2026-11-24');
  await run('2026-11-25', running);
  await buys(470, '2026-11-26');
  await run('2026-11-27');
  await applyOutcome(deps(), returned(directDebit.taken[0]?.providerRef ?? '', 6));
  await database.rows`
    update supporters set consent_active = false, consent_end = 'withdrawn', consent_ended_on = '2026-11-28'`;
  const deletion = await deleteBankData(inBucketOf(deps(), supporter.supporterId), supporter.supporterId, 'timetable');
  expect(deletion).toMatchObject({ result: 'deleted', roundUps: 2, droppedCents: 45 });
  expect(await balances()).toEqual({});
});

test('dropped round-ups are never debited, even if the end is moved', async () => {
  await buys(455, '2026-11-24');
  await run('2026-11-27');
  await buys(470, '2026-11-29');
  expect(await run('2026-11-30', running)).toMatchObject({ planned: 1 });
  expect(directDebit.taken.map(({ amount }) => amount)).toEqual([30]);
});

test('deleting the bank data after the end was moved drops waiting round-ups, and none dropped or debited before', async () => {
  await buys(455, '2026-11-24');
  await run('2026-11-27');
  await buys(470, '2026-11-29');
  await run('2026-11-30', running);
  await applyOutcome(deps(), cleared(directDebit.taken[0]?.providerRef ?? ''));
  await buys(480, '2026-11-30');
  await database.rows`
    update supporters set consent_active = false, consent_end = 'withdrawn', consent_ended_on = '2026-12-01'`;
  const deletion = await deleteBankData(inBucketOf(deps(), supporter.supporterId), supporter.supporterId, 'timetable');
  expect(deletion).toMatchObject({ result: 'deleted', roundUps: 3, droppedCents: 20 });
  expect(await balances()).toEqual({ cash: 30, club_payable: 30 });
});

test('dropped round-ups stay so on screen even if the end is moved: no debit will take them', async () => {
  await buys(455, '2026-11-24');
  await run('2026-11-27');
  await buys(470, '2026-11-29');
  const db = database.pool.of(supporter.supporterId);
  const states = async () => (await listHistory(db, supporter.supporterId)).map(({ state }) => state);
  expect(await states()).toEqual(['waiting', 'dropped']);
  const next = await nextDebitOf({ db, clock, tenants: running, statementName: 'SPARECHANGE' }, supporter.supporterId);
  expect(next).toMatchObject({ amountCents: 30, purchases: [{ roundUpCents: 30 }] });
});

test('a purchase whose round-up was dropped is not refunded, one debited before is', async () => {
  const paid = aPurchase(supporter, { cents: 430, day: '2026-11-24' });
  const lost = aPurchase(supporter, { cents: 455, day: '2026-11-26' });
  const pool = database.pool.of(supporter.supporterId);
  await recordRoundUps(pool, clock.now(), [paid]);
  await run('2026-11-25', running);
  await recordRoundUps(pool, clock.now(), [lost]);
  await run('2026-11-27');
  const credits = [paid, lost].map((purchase) => aPurchaseRefund(purchase));
  expect(await recordPurchaseRefunds(pool, clock.now(), supporter.supporterId, credits)).toBe(1);
  expect(await database.rows`select cents from purchase_refunds`).toEqual([{ cents: 70 }]);
});

test('a refund of a waiting round-up is dropped with it, one of a debited round-up comes off a debit after the end was moved', async () => {
  const paid = aPurchase(supporter, { cents: 430, day: '2026-11-24' });
  const lost = aPurchase(supporter, { cents: 455, day: '2026-11-26' });
  const pool = database.pool.of(supporter.supporterId);
  await recordRoundUps(pool, clock.now(), [paid]);
  await run('2026-11-25', running);
  await recordRoundUps(pool, clock.now(), [lost, aPurchase(supporter, { cents: 480, day: '2026-11-26' })]);
  const credits = [paid, lost].map((purchase) => aPurchaseRefund(purchase));
  expect(await recordPurchaseRefunds(pool, clock.now(), supporter.supporterId, credits)).toBe(2);
  await run('2026-11-27');
  expect(await database.rows`select cents from purchase_refunds`).toEqual([{ cents: 70 }]);
  await buys(401, '2026-11-29');
  await run('2026-11-30', running);
  expect(directDebit.taken.map(({ amount }) => amount)).toEqual([70, 29]);
});
