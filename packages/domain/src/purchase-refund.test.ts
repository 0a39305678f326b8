import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, isoDate } from './days.ts';
import { cents } from './money.ts';
import { isPurchaseRefundOf, matchPurchaseRefunds, mayBePurchaseRefund, type Refundable } from './purchase-refund.ts';

const coffee: Refundable = { account: 'a', day: isoDate('2026-09-01'), amount: cents(430), text: 'COFFEE' };
const later = (days: number, changes: Partial<Refundable> = {}): Refundable => ({
  ...coffee,
  day: addDays(coffee.day, days),
  ...changes,
});

test.each([
  ['on the same day', later(0), true],
  ['sixty days later', later(60), true],
  ['sixty-one days later', later(61), false],
  ['the day before', later(-1), false],
  ['of a part', later(1, { amount: cents(429) }), false],
  ['on another account', later(1, { account: 'b' }), false],
  ['with another text', later(1, { text: 'TEA' }), false],
])('a credit %s', (_when, credit, isOne) => expect(isPurchaseRefundOf(credit, coffee)).toBe(isOne));

const line = {
  status: 'posted',
  direction: 'credit',
  kind: 'refund',
  currency: 'AUD',
  amount: cents(430),
  description: 'COFFEE',
  isBillPayment: false,
} as const;

test('only a posted credit in Australian dollars may be a refund', () => {
  expect(mayBePurchaseRefund(line)).toBe(true);
  expect(mayBePurchaseRefund({ ...line, status: 'pending' })).toBe(false);
  expect(mayBePurchaseRefund({ ...line, direction: 'debit' })).toBe(false);
  expect(mayBePurchaseRefund({ ...line, currency: 'USD' })).toBe(false);
  expect(mayBePurchaseRefund({ ...line, amount: cents(0) })).toBe(false);
});

const somewhen = fc.record({
  account: fc.constantFrom('a', 'b'),
  day: fc.integer({ min: 0, max: 150 }).map((days) => addDays(coffee.day, days)),
  amount: fc.constantFrom(430, 500).map(cents),
  text: fc.constant('COFFEE'),
});
const lines = fc.array(somewhen, { maxLength: 6 });

/** The most pairs there are, by trying everything. */
function maxPairs([credit, ...credits]: Refundable[], purchases: Refundable[]): number {
  if (!credit) return 0;
  const without = maxPairs(credits, purchases);
  const paired = purchases.flatMap((purchase, place) =>
    isPurchaseRefundOf(credit, purchase) ? [1 + maxPairs(credits, purchases.toSpliced(place, 1))] : [],
  );
  return Math.max(without, ...paired);
}

test('every pair is a refund of its purchase, nothing is in two pairs, and the number of pairs is the largest possible', () =>
  fc.assert(
    fc.property(lines, lines, (credits, purchases) => {
      const pairs = matchPurchaseRefunds(credits, purchases);
      expect(pairs.every(({ credit, purchase }) => isPurchaseRefundOf(credit, purchase))).toBe(true);
      expect(new Set(pairs.map(({ credit }) => credit)).size).toBe(pairs.length);
      expect(new Set(pairs.map(({ purchase }) => purchase)).size).toBe(pairs.length);
      expect(pairs).toHaveLength(maxPairs(credits, purchases));
    }),
  ));
