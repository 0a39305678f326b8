import { randomUUID } from 'node:crypto';
import { type Cents, cents, type IsoDate, isoDate, monthStart, noCents, total } from '@sparechange/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Refusal } from '#errors.ts';
import { planDebits } from '#features/collections/debits/plan-debits.ts';
import { submitDebits } from '#features/collections/debits/submit-debits.ts';
import { requestDonation } from '#features/collections/donations/request-donation.ts';
import { undoDonation } from '#features/collections/donations/undo-donation.ts';
import { applyOutcome } from '#features/collections/outcomes/apply-outcome.ts';
import { planRepayment } from '#features/disbursements/repayments/plan-repayment.ts';
import { askForDeletion } from '#features/supporters/offboarding/delete-bank-data.ts';
import { recordPurchaseRefunds } from '#features/supporters/purchase-refunds/record-purchase-refunds.ts';
import { type Purchase, recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { today } from '#ports/clock.ts';
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
import { ownPayments } from '#testing/payment-deps.ts';
import { debitedLines } from './debited-lines.ts';
import { donatedByMonth, donatedTotal, listHistory, listHistoryDebits } from './history-repository.ts';

const { database, clock, directDebit, deps } = ownPayments();
const tenants = someTenants(aTenant());
let supporter: TestSupporter;
let bought: Purchase[];

const db = () => database.pool.of(supporter.supporterId);
async function aDebitedSupporter(overrides: Parameters<typeof aSupporter>[1] = {}) {
  clock.setTo('2026-09-28T22:00:00Z');
  supporter = await aSupporter(database.pool, { directDebit, ...overrides });
  bought = [];
}
const after = (days: number) => clock.setTo(new Date(clock.now().getTime() + days * 86_400_000).toISOString());
async function buys(amount: number, description = `SHOP ${bought.length}`) {
  const purchase = aPurchase(supporter, { day: today(clock), cents: amount, description });
  bought.push(purchase);
  await recordRoundUps(db(), clock.now(), [purchase]);
}
const gives = async (amount: Cents) => {
  const requestId = randomUUID();
  await requestDonation(db(), clock, tenants, supporter.supporterId, { amount, requestId });
  return requestId;
};
async function isDebited() {
  await planDebits(database.pool, clock, tenants, today(clock));
  await submitDebits(deps());
}
const last = (which = 0) => directDebit.taken.filter(({ reference }) => reference.startsWith('RU')).at(-1 - which);

/** Reads a supporter's lines as displayed: by the month of the debit, with their amounts. */
async function shown(limit?: number) {
  const { lines, debits } = debitedLines(
    await listHistory(db(), supporter.supporterId, limit),
    await listHistoryDebits(db(), supporter.supporterId),
  );
  const counted = [
    ...lines.flatMap(({ given }) => (given ? [given] : [])),
    ...debits.flatMap(({ date, clubCents }) => (clubCents === null ? [] : [{ on: isoDate(date), clubCents }])),
  ];
  const sums = Map.groupBy(counted, ({ on }) => monthStart(on));
  return {
    lines,
    debits,
    months: Object.fromEntries(
      [...sums].map(([month, parts]) => [month, total(parts.map(({ clubCents }) => clubCents))]),
    ),
  };
}
const bars = async () =>
  Object.fromEntries(
    (await donatedByMonth(db(), supporter.supporterId)).map(({ month, cents: given }) => [month, given]),
  );
const withoutNothing = (months: Record<string, Cents>) =>
  Object.fromEntries(Object.entries(months).filter(([, given]) => given !== 0));

test('a purchase counts in the month of its debit, and a gift has a line of its own', async () => {
  await aDebitedSupporter({ savings: true });
  after(1); // Wednesday 30 September
  await buys(435);
  await buys(130);
  after(2);
  await isDebited();
  await gives(cents(2000));
  await submitDebits(deps());
  await buys(480);
  const { lines, debits, months } = await shown();
  expect(lines.map(({ day, countedCents, given }) => [day, countedCents, given])).toEqual([
    ['2026-10-02', 20, null],
    ['2026-09-30', 70, { on: '2026-10-02', clubCents: 35 }],
    ['2026-09-30', 65, { on: '2026-10-02', clubCents: 33 }],
  ]);
  expect(debits).toMatchObject([
    { kind: 'one-off donation', date: '2026-10-02', amountCents: 2000, clubCents: 2000, state: 'submitted' },
  ]);
  expect(months).toEqual({ '2026-10-01': 2068 });
  expect(await bars()).toEqual(months);
});

test('an undone gift is not listed, a waiting one is not debited, a returned one counts nothing', async () => {
  await aDebitedSupporter();
  const undone = await gives(cents(100));
  await undoDonation(db(), clock, supporter.supporterId, undone);
  await gives(cents(300));
  await submitDebits(deps());
  await applyOutcome(deps(), returned(last()?.providerRef ?? '', 6));
  await gives(cents(500));
  expect((await shown()).debits.map(({ amountCents, clubCents, state }) => [amountCents, clubCents, state])).toEqual([
    [500, null, 'waiting'],
    [300, null, 'returned'],
  ]);
});

test('a debit whose purchases are deleted, or left out of a long list, keeps a line', async () => {
  await aDebitedSupporter({ savings: true });
  await buys(435);
  await buys(130);
  after(1);
  await isDebited();
  expect((await shown(1)).debits).toMatchObject([{ kind: 'round-ups', amountCents: 65, clubCents: 33 }]);
  await applyOutcome(deps(), cleared(last()?.providerRef ?? ''));
  await askForDeletion(inBucketOf(deps(), supporter.supporterId), supporter.supporterId, 'supporter');
  const { lines, debits, months } = await shown();
  expect(lines).toEqual([]);
  expect(debits).toMatchObject([
    { kind: 'round-ups', date: '2026-09-30', amountCents: 135, clubCents: 68, state: 'cleared' },
  ]);
  expect(await bars()).toEqual(months);
});

const step = fc.record({
  what: fc.constantFrom(
    ...(['buys', 'buys', 'buys', 'buys', 'gives', 'is paid back', 'changes savings', 'undoes'] as const),
    ...(['is debited', 'is debited', 'is debited', 'clears', 'clears', 'comes back', 'is refunded'] as const),
  ),
  amount: fc.integer({ min: 1, max: 1999 }).map(cents),
  which: fc.nat(2),
  days: fc.integer({ min: 1, max: 12 }),
});
type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;

const unlessRefused = (error: unknown) => {
  if (!(error instanceof Refusal)) throw error;
};

async function play({ what, amount, which, days }: Step): Promise<void> {
  const { supporterId } = supporter;
  const taken = last(which);
  switch (what) {
    case 'buys':
      return buys(amount);
    case 'gives':
      await gives(amount).catch(unlessRefused);
      await submitDebits(deps(), { kinds: ['donation'] });
      return;
    case 'undoes': {
      const requestId = await gives(amount).catch(unlessRefused);
      if (requestId) await undoDonation(db(), clock, supporterId, requestId).catch(unlessRefused);
      return;
    }
    case 'is paid back': {
      const purchase = bought.at(-1 - which);
      if (purchase)
        await recordPurchaseRefunds(db(), clock.now(), supporterId, [aPurchaseRefund(purchase, { day: today(clock) })]);
      return;
    }
    case 'changes savings':
      await database.rows`update supporters set savings_enabled = not savings_enabled where supporter_id = ${supporterId}`;
      return;
    case 'is debited':
      after(days);
      return isDebited();
    case 'clears':
      if (taken) await applyOutcome(deps(), cleared(taken.providerRef));
      return;
    case 'comes back':
      if (taken) await applyOutcome(deps(), returned(taken.providerRef, 6));
      await database.rows`update accounts set unusable_since = null`;
      await database.rows`update pauses set resumed_on = ${today(clock)} where resumed_on is null`;
      return;
    case 'is refunded': {
      const [debit] = await database.rows<{ id: string; left: Cents }[]>`
        select id, amount_cents - coalesce((select sum(amount_cents) from repayments where debit_id = debits.id), 0)::bigint as left
        from debits where supporter_id = ${supporterId} and state = 'cleared' order by id offset ${which} limit 1`;
      if (!debit || debit.left <= 0) return;
      const back = which === 0 ? debit.left : cents(Math.ceil(debit.left / 2));
      await planRepayment(inBucketOf(deps(), supporterId), {
        supporterId,
        debitId: debit.id,
        amount: back,
        reason: 'a mistake',
        requestId: randomUUID(),
      }).catch(unlessRefused);
    }
  }
}

test(
  'for any history of debits, the lines of each month add up to its donations, and all months to the total',
  () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 15, maxLength: 60 }),
        fc.record({
          savings: fc.boolean(),
          step: fc.constantFrom(100 as const, 200 as const, 500 as const),
          weeklyLimit: fc.constantFrom(0 as const, 750 as const, 1000 as const, 1250 as const),
        }),
        async (steps, settings) => {
          await aDebitedSupporter(settings);
          for (const each of steps) await play(each);
          const { lines, debits, months } = await shown();
          expect(withoutNothing(months)).toEqual(withoutNothing(await bars()));
          expect(debits.filter(({ kind }) => kind === 'round-ups')).toEqual([]);
          const all = await donatedTotal(db(), supporter.supporterId, null);
          expect(total(Object.values(months))).toBe(all.cents);
          for (const year of ['2026-01-01', '2027-01-01'] as IsoDate[]) {
            const later = Object.entries(months).filter(([month]) => month >= year);
            expect((await donatedTotal(db(), supporter.supporterId, year)).cents).toBe(
              total(later.map(([, given]) => given)),
            );
          }
          for (const { given, state } of lines)
            if (state === 'waiting' || state === 'dropped') expect(given?.clubCents ?? noCents).toBe(0);
        },
      ),
      { numRuns: 15 },
    ),
  120_000,
);
