import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, isoDate, weekStart } from '../days.ts';
import { cleanedText, merchantText } from '../description.ts';
import { reasonNotRounded, type StatementLine } from '../eligibility.ts';
import { balanceFloors, checkBalance, maxDeferrals } from '../low-balance.ts';
import { cents } from '../money.ts';
import { isPurchaseRefundOf, mayBePurchaseRefund } from '../purchase-refund.ts';
import { splitRepayment } from '../repayment.ts';
import { afterFailedTry, retryPlans } from '../retry-plan.ts';
import { balanceVerdict, isOverdue, runsBeforeDropped, savingsRepaid } from './payments.ts';
import { isRounded, mayPayBack, paysBack, purchaseText, refundText } from './statement-line.ts';
import { weekOf } from './weeks.ts';

const part = fc.constantFrom(
  ...([
    'CAFE',
    ' ',
    '  ',
    'café',
    'ﬁsh',
    '12/03 ',
    '12/03',
    'EFTPOS',
    'PURCHASE ',
    'Refund',
    '-',
    ': ',
    'POS',
    'POST',
  ] as const),
  ...([
    'Card 4471 ',
    'CARD XX1234',
    'CARD ',
    ' VALUE DATE: 01/02/2026',
    'VISA',
    'DDR',
    'direct debit',
    'BPAY',
    'DDRX',
  ] as const),
  ...(['Sparechange', '\u00a0', '1', '4471', '\t', 'Ü', '_'] as const),
);
const text = fc.oneof(
  fc.array(part, { maxLength: 8 }).map((parts) => parts.join('')),
  fc.string(),
);
const amount = fc.integer({ min: -5, max: 30_000 }).map(cents);
const day = fc.nat(800).map((days) => addDays(isoDate('2026-01-01'), days));
const line: fc.Arbitrary<StatementLine> = fc.record({
  status: fc.constantFrom('posted' as const, 'posted' as const, 'pending' as const),
  direction: fc.constantFrom('debit' as const, 'credit' as const),
  kind: fc.constantFrom('payment', 'payment', 'transfer', undefined),
  currency: fc.constantFrom('AUD', 'AUD', 'USD'),
  amount,
  description: text,
  isBillPayment: fc.nat(4).map((chance) => chance === 0),
});
const runs = { numRuns: 3_000 };

test('the model names purchases and merchants as the product does', () =>
  fc.assert(
    fc.property(text, (description) => {
      expect(purchaseText(description)).toBe(cleanedText(description));
      expect(refundText(description)).toBe(merchantText(description));
    }),
    runs,
  ));

test('the model rounds and pays back the lines that the product does', () =>
  fc.assert(
    fc.property(line, (line) => {
      expect(isRounded(line, 'sparechange')).toBe(reasonNotRounded(line, 'sparechange') === undefined);
      expect(mayPayBack(line)).toBe(mayBePurchaseRefund(line));
    }),
    runs,
  ));

const bought = fc.record({
  account: fc.constantFrom('one', 'two'),
  day,
  amount: fc.constantFrom(cents(430), cents(900)),
  text: fc.constantFrom('CAFE', 'BAKERY'),
});

test('the model pays a purchase back by the credits that the product takes for it', () =>
  fc.assert(
    fc.property(bought, bought, fc.boolean(), fc.integer({ min: -2, max: 62 }), (credit, purchase, isLike, later) => {
      const paid = isLike ? { ...purchase, day: addDays(purchase.day, later) } : credit;
      expect(paysBack(paid, purchase)).toBe(isPurchaseRefundOf(paid, purchase));
    }),
    runs,
  ));

test('the model lets a debit go by the balances that the product does', () =>
  fc.assert(
    fc.property(
      fc.record({
        floor: fc.constantFrom(...balanceFloors),
        amount,
        balance: fc.oneof(amount, fc.constantFrom(undefined, 'no answer' as const)),
        wasUnread: fc.boolean(),
      }),
      (debit) => {
        expect(balanceVerdict(debit)).toBe(checkBalance(debit));
      },
    ),
    runs,
  ));

test('the model shares a repayment, parks and drops as the product does', () => {
  fc.assert(
    fc.property(fc.nat(20_000), fc.nat(20_000), fc.double({ min: 0, max: 1, noNaN: true }), (club, savings, part) => {
      fc.pre(club + savings > 0);
      const left = { club: cents(club), savings: cents(savings) };
      const repaid = cents(1 + Math.floor(part * (club + savings - 1)));
      expect(savingsRepaid(left, repaid)).toBe(splitRepayment(left, repaid).savings);
    }),
    runs,
  );
  const now = new Date('2026-11-25T00:00:00Z');
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 48 }), fc.nat(9), (hours, attempts) => {
      const failingSince = new Date(now.getTime() - hours * 3_600_000);
      const { parkedAt } = afterFailedTry(retryPlans.payment, { tries: attempts, failingSince }, now);
      expect(isOverdue(hours * 3_600_000, attempts + 1)).toBe(parkedAt !== null);
    }),
    runs,
  );
  expect(runsBeforeDropped).toBe(maxDeferrals);
});

test('the model begins weeks where the product does', () =>
  fc.assert(
    fc.property(day, (day) => {
      expect(weekOf(day)).toBe(weekStart(day));
    }),
    runs,
  ));
