import { addDays, cents, isoDate } from '@sparechange/domain';
import { beforeEach, expect, test } from 'vitest';
import { deferDebit } from '#features/collections/debits/defer-debit.ts';
import { planDebits } from '#features/collections/debits/plan-debits.ts';
import { submitDebits } from '#features/collections/debits/submit-debits.ts';
import { applyOutcome } from '#features/collections/outcomes/apply-outcome.ts';
import { planRepayment } from '#features/disbursements/repayments/plan-repayment.ts';
import { deleteBankData } from '#features/supporters/offboarding/delete-bank-data.ts';
import { userRecord } from '#features/supporters/profiles/user-record.ts';
import { findRefundablePurchase } from '#features/supporters/purchase-refunds/find-refundable-purchase.ts';
import { type Purchase, recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import type { BankTransaction } from '#ports/bank-link.ts';
import { inBucketOf } from '#testing/database.ts';
import {
  anAccount,
  aPurchase,
  aPurchaseRefund,
  aSupporter,
  aTenant,
  cleared,
  returned,
  someTenants,
  type TestSupporter,
} from '#testing/makers.ts';
import { ownPayments } from '#testing/payment-deps.ts';
import { untilWaiting } from '#testing/waiting.ts';
import { recordPurchaseRefunds } from './record-purchase-refunds.ts';

const tenants = someTenants(aTenant());
const [wednesday, friday, monday] = ['2026-11-25', '2026-11-27', '2026-11-30'].map(isoDate);

const { database, clock, directDebit, deps } = ownPayments();
let supporter: TestSupporter;
beforeEach(async () => {
  supporter = await aSupporter(database.pool, { directDebit });
});

const buys = async (cents: number, overrides: Parameters<typeof aPurchase>[1] = {}) => {
  const purchase = aPurchase(supporter, { cents, day: '2026-11-23', ...overrides });
  await recordRoundUps(database.pool.of(purchase.supporterId), clock.now(), [purchase]);
  return purchase;
};
const bankShows = (...credits: BankTransaction[]) =>
  recordPurchaseRefunds(database.pool.of(supporter.supporterId), clock.now(), supporter.supporterId, credits);
const debits = async (day = wednesday) => {
  await planDebits(database.pool, clock, tenants, day ?? isoDate('2026-11-25'));
  await submitDebits(deps());
  const rows = await database.rows`
    select amount_cents - represented_cents as own, refunds_cents as less from debits order by run_date`;
  return rows.map(({ own, less }) => [own, less]);
};
const nextDebit = async () =>
  (await userRecord({ db: database.pool.of(supporter.supporterId), clock, tenants }, supporter.supporterId)).nextDebit
    ?.amountCents;
const refunded = async () => {
  const rows = await database.rows`
    select round_up_seq as seq, cents, taken_off_by is not null as "isTakenOff" from purchase_refunds order by round_up_seq`;
  return rows.map(({ seq, cents, isTakenOff }) => [seq, cents, isTakenOff]);
};

test('the purchase to pay back is the newest with spare change that is not paid back yet', async () => {
  const find = () => findRefundablePurchase(database.pool.of(supporter.supporterId), supporter.supporterId);
  expect(await find()).toBeUndefined();
  const first = await buys(430);
  const coffee = await buys(435, { day: '2026-11-24' });
  await buys(500, { day: '2026-11-24' });
  expect(await find()).toBe(coffee.transactionId);
  await bankShows(aPurchaseRefund(coffee));
  expect(await find()).toBe(first.transactionId);
});

test('a full refund deducts its round-up from the next debit', async () => {
  const coffee = await buys(430);
  await buys(125);
  expect(await nextDebit()).toBe(145);
  expect(await bankShows(aPurchaseRefund(coffee))).toBe(1);
  expect(await nextDebit()).toBe(75);
  expect(await debits()).toEqual([[75, 70]]);
  expect(await refunded()).toEqual([[1, 70, true]]);
});

test('a refund of a round-up debited long ago is deducted from a later debit', async () => {
  const coffee = await buys(430);
  await debits();
  await applyOutcome({ db: database.pool, clock }, cleared(directDebit.taken.at(-1)?.providerRef ?? ''));
  await bankShows(aPurchaseRefund(coffee));
  await buys(110);
  expect(await debits(friday)).toEqual([
    [70, 0],
    [20, 70],
  ]);
});

test('a refund of a purchase whose debit was reversed deducts nothing', async () => {
  const coffee = await buys(430);
  await debits();
  const providerRef = directDebit.taken.at(-1)?.providerRef ?? '';
  for (const outcome of [cleared(providerRef), returned(providerRef, 6)])
    await applyOutcome({ db: database.pool, clock }, outcome);
  expect(await bankShows(aPurchaseRefund(coffee))).toBe(0);
  await buys(110);
  expect((await debits(friday)).at(-1)).toEqual([90, 0]);
});

/** Repays the last debit to its payer, whole unless an amount is given. */
async function repay(amount?: number): Promise<void> {
  const { supporterId } = supporter;
  const [debit] = await database.rows<{ id: string }[]>`select id from debits order by run_date desc limit 1`;
  await planRepayment(inBucketOf(deps(), supporterId), {
    supporterId,
    debitId: debit?.id ?? '',
    amount: amount === undefined ? undefined : cents(amount),
    reason: 'a mistake',
  });
}
const clears = () => applyOutcome(deps(), cleared(directDebit.taken.at(-1)?.providerRef ?? ''));

test('a refund of a purchase whose debit was fully repaid deducts nothing', async () => {
  const coffee = await buys(430);
  await debits();
  await clears();
  await repay(30);
  await repay();
  expect(await bankShows(aPurchaseRefund(coffee))).toBe(0);
  await buys(110);
  expect((await debits(friday)).at(-1)).toEqual([90, 0]);
});

test.each<[string, () => Promise<unknown>]>([
  ['claimed back', () => applyOutcome(deps(), returned(directDebit.taken.at(-1)?.providerRef ?? '', 6))],
  ['given back whole', () => repay()],
])('a waiting refund deducts nothing once its debit is %s', async (_how, comesBack) => {
  const coffee = await buys(430);
  await debits();
  await clears();
  expect(await bankShows(aPurchaseRefund(coffee))).toBe(1);
  await comesBack();
  expect(await bankShows(aPurchaseRefund(coffee))).toBe(0);
  await buys(110);
  expect((await debits(friday)).at(-1)).toEqual([90, 0]);
});

test.each(['claim', 'refund'])('a concurrent claim and refund of one debit take turns, the %s first', async (first) => {
  const coffee = await buys(430);
  await debits();
  await clears();
  await bankShows(aPurchaseRefund(coffee));
  const claim = () => applyOutcome(deps(), returned(directDebit.taken.at(-1)?.providerRef ?? '', 6));
  const inOrder: (() => Promise<unknown>)[] = first === 'claim' ? [claim, repay] : [repay, claim];
  let both: Promise<PromiseSettledResult<unknown>[]> | undefined;
  await database.pool.of(supporter.supporterId).begin(async (tx) => {
    await tx`select from debits where supporter_id = ${supporter.supporterId} for update`;
    const begun: Promise<unknown>[] = [];
    for (const each of inOrder) {
      begun.push(each());
      await untilWaiting(database.rows, begun.length);
    }
    both = Promise.allSettled(begun);
  });
  const refused = { status: 'rejected', reason: { code: 'conflict' } };
  expect(await both).toMatchObject(
    first === 'claim' ? [{ value: 'reversed' }, refused] : [{ status: 'fulfilled' }, { value: 'reversed' }],
  );
});

test('a waiting refund deducts nothing once the debit of its purchase has waited three runs', async () => {
  const coffee = await buys(430);
  for (const day of ['2026-11-25', '2026-11-27', '2026-11-30'].map(isoDate)) {
    await planDebits(database.pool, clock, tenants, day);
    if (day === monday) await bankShows(aPurchaseRefund(coffee));
    const [debit] = await database.rows<{ id: string }[]>`select id from debits where state = 'planned'`;
    const { supporterId } = supporter;
    await deferDebit(database.pool.of(supporterId), clock, { supporterId, id: debit?.id ?? '' }, 'below floor');
  }
  expect(await refunded()).toEqual([]);
});

test('a refund keeps waiting if its debit is repaid only in part', async () => {
  const coffee = await buys(430);
  await debits();
  await clears();
  await bankShows(aPurchaseRefund(coffee));
  await repay(30);
  await buys(101);
  expect((await debits(friday)).at(-1)).toEqual([29, 70]);
});

test('a refund that cannot be deducted waits; nothing falls below zero', async () => {
  const coffee = await buys(430);
  await debits();
  await bankShows(aPurchaseRefund(coffee));
  await buys(450);
  expect(await nextDebit()).toBe(0);
  expect(await debits(friday)).toEqual([[70, 0]]);
  await buys(470);
  expect(await debits(monday)).toEqual([
    [70, 0],
    [10, 70],
  ]);
});

test('refunds equal to the waiting amount leave nothing to debit', async () => {
  await bankShows(aPurchaseRefund(await buys(430)));
  expect(await debits()).toEqual([]);
  await buys(499);
  expect(await debits(friday)).toEqual([[1, 70]]);
});

test('a refund is also deducted from an earlier failed amount, and only once if that fails again', async () => {
  const coffee = await buys(430);
  await buys(450);
  await debits();
  await applyOutcome({ db: database.pool, clock }, returned(directDebit.taken.at(-1)?.providerRef ?? '', 6));
  await bankShows(aPurchaseRefund(coffee));
  expect(await debits(friday)).toEqual([
    [120, 0],
    [-70, 70],
  ]);
  await applyOutcome({ db: database.pool, clock }, returned(directDebit.taken.at(-1)?.providerRef ?? '', 2));
  await database.rows`update accounts set unusable_since = null`;
  expect(await debits(monday)).toEqual([
    [120, 0],
    [-70, 70],
    [0, 0],
  ]);
});

test('each purchase is refunded once, however often and under any id the bank shows the credit', async () => {
  const coffee = await buys(430);
  const credit = aPurchaseRefund(coffee);
  expect(await bankShows(credit)).toBe(1);
  expect(await bankShows(credit)).toBe(0);
  expect(await bankShows(aPurchaseRefund(coffee))).toBe(0);
  expect(await bankShows(credit, aPurchaseRefund(coffee))).toBe(0);
});

test('a re-issued credit pays no other purchase back; a second one beside it does', async () => {
  const sameText = { description: 'CORNER CAFE' };
  const coffee = await buys(430, sameText);
  await buys(430, { ...sameText, day: '2026-11-22' });
  expect(await bankShows(aPurchaseRefund(coffee))).toBe(1);
  expect(await bankShows(aPurchaseRefund(coffee))).toBe(0);
  expect(await bankShows(aPurchaseRefund(coffee), aPurchaseRefund(coffee))).toBe(1);
  expect(await bankShows(aPurchaseRefund(coffee), aPurchaseRefund(coffee), aPurchaseRefund(coffee))).toBe(0);
});

const other = async (purchase: Purchase) => ({ ...purchase, ...(await anAccount(database.pool, supporter)) });

test.each<[string, (purchase: Purchase) => BankTransaction | Promise<BankTransaction>]>([
  ['of a part', (purchase) => aPurchaseRefund({ ...purchase, purchaseCents: cents(429) })],
  ['with another text', (purchase) => aPurchaseRefund({ ...purchase, description: 'SOMEBODY ELSE' })],
  ['before the purchase', (purchase) => aPurchaseRefund(purchase, { day: addDays(purchase.day, -1) })],
  ['61 days later', (purchase) => aPurchaseRefund(purchase, { day: addDays(purchase.day, 61) })],
  ['on another account', async (purchase) => aPurchaseRefund(await other(purchase))],
  ['on an account we do not know', (purchase) => aPurchaseRefund(purchase, { accountId: 'unknown' })],
])('a credit %s is no refund', async (_what, credit) => {
  expect(await bankShows(await credit(await buys(430)))).toBe(0);
});

test('case, spacing, the statement prefix and the words for a refund do not count', async () => {
  const purchase = await buys(430, { description: 'CARD 23/11 CORNER  CAFE' });
  expect(await bankShows(aPurchaseRefund(purchase, { description: 'Refund Purchase corner cafe' }))).toBe(1);
});

test("nobody's purchase is refunded by another supporter's credit", async () => {
  const credit = aPurchaseRefund(await buys(430));
  supporter = await aSupporter(database.pool, { directDebit });
  expect(await bankShows(credit)).toBe(0);
});

test('a part cut by the weekly limit is not deducted', async () => {
  await database.rows`update supporters set weekly_limit_cents = 750`;
  for (let count = 0; count < 10; count += 1) await buys(430);
  const [coffee] = [await buys(420), await buys(401)];
  await bankShows(aPurchaseRefund(coffee));
  expect((await refunded()).at(-1)).toEqual([11, 50, false]);
});

test('deleting bank data deletes refunds, deducted or not, and the books still hold', async () => {
  const coffee = await buys(430);
  await bankShows(aPurchaseRefund(coffee));
  const paper = await buys(125);
  await debits();
  await applyOutcome({ db: database.pool, clock }, cleared(directDebit.taken.at(-1)?.providerRef ?? ''));
  await bankShows(aPurchaseRefund(paper));
  await buys(440);
  await database.rows`
    update supporters set consent_active = false, consent_end = 'withdrawn', consent_ended_on = '2026-11-25'`;
  const deletion = await deleteBankData(inBucketOf(deps(), supporter.supporterId), supporter.supporterId, 'timetable');
  expect(deletion).toMatchObject({ result: 'deleted', droppedCents: 60 });
  expect(await refunded()).toEqual([]);
});
