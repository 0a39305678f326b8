import { cents, isoDate, monthStart } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { planDebits } from '#features/collections/debits/plan-debits.ts';
import { submitDebits } from '#features/collections/debits/submit-debits.ts';
import { applyOutcome } from '#features/collections/outcomes/apply-outcome.ts';
import { remitToClubs } from '#features/disbursements/remittances/remit-to-clubs.ts';
import { depositSavings } from '#features/disbursements/savings/deposit-savings.ts';
import { recordPurchaseRefunds } from '#features/supporters/purchase-refunds/record-purchase-refunds.ts';
import { recordIneligible } from '#features/supporters/round-ups/record-ineligible-transactions.ts';
import { type Purchase, recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import {
  aPurchase,
  aPurchaseRefund,
  aSupporter,
  aTenant,
  cleared,
  type PurchaseOverrides,
  returned,
  type SupporterOverrides,
  someTenants,
  type TestSupporter,
} from '#testing/makers.ts';
import { setBankDetails } from '#testing/money-day.ts';
import { ownPayments } from '#testing/payment-deps.ts';
import { listHistory } from './history-repository.ts';
import { traceTransaction, whyOf } from './transaction-trace.ts';

const tenants = someTenants(aTenant());

const { database, clock, directDebit, deps } = ownPayments();
let supporter: TestSupporter;

const anActiveSupporter = async (overrides: SupporterOverrides = {}) => {
  supporter = await aSupporter(database.pool, { directDebit, ...overrides });
};
const buys = async (id: string, price: number, overrides: PurchaseOverrides = {}): Promise<Purchase> => {
  const purchase = aPurchase(supporter, { id, cents: price, description: `SHOP ${id}`, ...overrides });
  await recordRoundUps(database.pool.of(purchase.supporterId), clock.now(), [purchase]);
  return purchase;
};
const paysBack = (purchase: Purchase, id: string) =>
  recordPurchaseRefunds(database.pool.of(supporter.supporterId), clock.now(), supporter.supporterId, [
    aPurchaseRefund(purchase, { id }),
  ]);
async function debited(date: string): Promise<string> {
  await planDebits(database.pool, clock, tenants, isoDate(date));
  await submitDebits(deps());
  return directDebit.taken.at(-1)?.providerRef ?? '';
}
const settle = (outcome: ReturnType<typeof cleared>) => applyOutcome(deps(), outcome);
const trace = (id: string) => traceTransaction(database.pool.of(supporter.supporterId), supporter.supporterId, id);

test('a purchase is followed from the bank to the club and the savings account, to the cent', async () => {
  await anActiveSupporter({ savings: true });
  await setBankDetails(database.pool, supporter.clubId, '12345678');
  await buys('coffee', 435);
  await buys('paper', 130);
  expect(await trace('coffee')).toMatchObject({ debits: [], shares: null, remittance: null, deposit: null });
  const providerRef = await debited('2026-11-25');
  expect(await trace('coffee')).toMatchObject({ debits: [{ state: 'submitted' }], shares: { clubCents: 33 } });
  await settle(cleared(providerRef));
  clock.setTo('2026-11-25T23:30:00Z');
  await remitToClubs(deps());
  clock.setTo('2026-11-30T23:30:00Z');
  await depositSavings(deps());
  const [debit] = await database.rows`select reference from debits`;
  const [remittance] = await database.rows`select reference from remittances`;
  const [deposit] = await database.rows`select reference from deposits`;
  expect(await trace('coffee')).toEqual({
    bank: { date: '2026-11-24', description: 'SHOP coffee', amount: '4.35', account: 'Everyday' },
    why: null,
    rounding: { stepCents: 100, weeklyLimitCents: 0, rawCents: 65, countedCents: 65 },
    pair: null,
    debits: [
      {
        date: '2026-11-25',
        amountCents: 135,
        clubCents: 68,
        savingsCents: 67,
        refundedCents: 0,
        state: 'cleared',
        reference: debit?.reference,
        providerReference: providerRef,
      },
    ],
    shares: { club: 'Riverside Rovers', clubCents: 33, savingsCents: 32 },
    remittance: { date: '2026-11-26', reference: remittance?.reference, state: 'submitted' },
    deposit: { date: '2026-12-01', reference: deposit?.reference, state: 'submitted' },
  });
  expect((await trace('paper')).shares).toEqual({ club: 'Riverside Rovers', clubCents: 35, savingsCents: 35 });
});

test('a returned debit is listed with its re-presentation, whose shares apply', async () => {
  await anActiveSupporter({ savings: true });
  await buys('coffee', 430);
  await settle(returned(await debited('2026-11-25'), 6));
  expect(await trace('coffee')).toMatchObject({ debits: [{ state: 'returned' }], shares: null });
  await buys('paper', 125);
  await debited('2026-11-27');
  const { debits, shares } = await trace('coffee');
  expect(debits.map(({ date, state, amountCents }) => [date, state, amountCents])).toEqual([
    ['2026-11-25', 'returned', 70],
    ['2026-11-27', 'submitted', 145],
  ]);
  expect([shares, (await trace('paper')).shares]).toMatchObject([
    { clubCents: 35, savingsCents: 35 },
    { clubCents: 38, savingsCents: 37 },
  ]);
});

test('a refund and its purchase link to each other, and the refund deducts the same amount as was given', async () => {
  await anActiveSupporter({ savings: true });
  const coffee = await buys('coffee', 430);
  await buys('paper', 110);
  await paysBack(coffee, 'money back');
  expect(await trace('coffee')).toMatchObject({
    why: 'refunded',
    pair: { lineId: 'money back', date: '2026-11-25', cents: 70 },
  });
  await debited('2026-11-25');
  const [given, takenOff, rest] = [await trace('coffee'), await trace('money back'), await trace('paper')];
  expect(takenOff).toMatchObject({
    bank: { amount: '-4.30' },
    why: 'a refund',
    rounding: null,
    pair: { lineId: 'coffee', date: '2026-11-24', cents: 70 },
    debits: [{ amountCents: 90 }],
  });
  expect(given.shares).toMatchObject({ clubCents: 35, savingsCents: 35 });
  expect(takenOff.shares).toMatchObject({ clubCents: -35, savingsCents: -35 });
  expect(rest.shares).toMatchObject({ clubCents: 45, savingsCents: 45 });
});

test('the shares of a debit, of any composition, add up to its halves', async () => {
  await anActiveSupporter({ savings: true });
  const purchases = [];
  for (const [id, price] of [101, 233, 367, 499, 550, 600].entries()) purchases.push(await buys(`line ${id}`, price));
  await settle(returned(await debited('2026-11-25'), 6));
  await buys('another', 177);
  if (purchases[1]) await paysBack(purchases[1], 'money back');
  await debited('2026-11-27');
  const [debit] = await database.rows`
    select amount_cents - savings_cents as "clubCents", savings_cents as "savingsCents" from debits where run_date = '2026-11-27'`;
  const lines = await listHistory(database.pool.of(supporter.supporterId), supporter.supporterId);
  const traces = await Promise.all(lines.map(({ lineId }) => trace(lineId)));
  const sum = (part: 'clubCents' | 'savingsCents') =>
    traces.reduce((so, { shares }) => cents(so + (shares?.[part] ?? 0)), cents(0));
  expect({ clubCents: sum('clubCents'), savingsCents: sum('savingsCents') }).toEqual(debit);
});

test('each reason why a line counts only in part or not at all', async () => {
  await anActiveSupporter({ weeklyLimit: 750, step: 500 });
  await buys('exact', 1000);
  await buys('first', 1010);
  await buys('second', 1010);
  await buys('third', 1010);
  const line = (id: string) => ({ ...aPurchase(supporter, { id, cents: 435 }), reason: null });
  await database.rows`
    insert into pauses (supporter_id, paused_at, paused_on, resumed_on, reason)
    values (${supporter.supporterId}, '2026-11-09T00:00:00Z', '2026-11-09', '2026-11-11', 'supporter')`;
  const since = monthStart(isoDate('2026-11-24'));
  await recordIneligible(database.pool.of(supporter.supporterId), clock.now(), supporter.supporterId, since, [
    { ...line('pause'), day: isoDate('2026-11-10') },
    { ...line('rent'), reason: 'not a payment' },
    { ...line('power'), reason: 'bill payment' },
    { ...line('lunch'), reason: 'pending' },
  ]);
  const why = async (id: string) => {
    const { why: reason, rounding } = await trace(id);
    return [reason, rounding?.countedCents ?? null];
  };
  expect(await why('exact')).toEqual(['exact amount', 0]);
  expect(await why('first')).toEqual([null, 490]);
  expect(await why('second')).toEqual(['over the weekly limit', 260]);
  expect(await why('third')).toEqual(['over the weekly limit', 0]);
  expect(await why('pause')).toEqual(['paused', null]);
  expect(await why('rent')).toEqual(['not a purchase', null]);
  expect(await why('power')).toEqual(['a bill', null]);
  expect(await why('lunch')).toEqual(['waiting for your bank', null]);
  const lines = await listHistory(database.pool.of(supporter.supporterId), supporter.supporterId);
  for (const each of lines) expect(whyOf(each)).toBe((await trace(each.lineId)).why);
  expect(lines).toHaveLength(8);
});

test("another supporter's line is not found, like one that does not exist", async () => {
  await anActiveSupporter();
  await buys('coffee', 430);
  await anActiveSupporter();
  for (const id of ['coffee', 'nothing']) await expect(trace(id)).rejects.toMatchObject({ code: 'not-found' });
});
