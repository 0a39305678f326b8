import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type NotRounded, reasonNotRounded, type StatementLine } from './eligibility.ts';
import { cents } from './money.ts';

const purchase: StatementLine = {
  status: 'posted',
  direction: 'debit',
  kind: 'payment',
  currency: 'AUD',
  amount: cents(430),
  description: 'CORNER CAFE',
  isBillPayment: false,
};
const why = (changes: Partial<StatementLine>) => reasonNotRounded({ ...purchase, ...changes }, 'SPARECHANGE');

test('a posted card purchase in Australian dollars is rounded up', () => {
  expect(why({})).toBeUndefined();
});

test.each<[NotRounded, Partial<StatementLine>]>([
  ['pending', { status: 'pending' }],
  ['credit', { direction: 'credit' }],
  ['credit', { direction: 'credit', kind: 'refund' }],
  ['foreign currency', { currency: 'USD' }],
  ['not a payment', { kind: 'transfer' }],
  ['not a payment', { kind: 'cash-withdrawal' }],
  ['not a payment', { kind: 'bank-fee' }],
  ['not a payment', { kind: 'loan-interest' }],
  ['not a payment', { kind: 'loan-repayment' }],
  ['not a payment', { kind: 'interest' }],
  ['not a payment', { kind: 'something new' }],
  ['not a payment', { kind: undefined }],
  ['bill payment', { isBillPayment: true }],
  ['bill payment', { description: 'Direct Debit 012345 GYM CO' }],
  ['bill payment', { description: 'DDEBIT Little Learners' }],
  ['bill payment', { description: ' bpay water board' }],
  ['own debit', { description: 'SPARECHANGE RU1234567' }],
  ['own debit', { description: 'Direct Debit 012345 sparechange' }],
  ['no amount', { amount: cents(0) }],
])('as %s, %j is not', (reason, changes) => {
  expect(why(changes)).toBe(reason);
});

test.each(['DIRECT DEBITORS CAFE', 'THE BPAYS BAR', 'CAFE DIRECT DEBIT'])('%s is a purchase', (description) => {
  expect(why({ description })).toBeUndefined();
});

const line: fc.Arbitrary<StatementLine> = fc.record({
  status: fc.constantFrom('posted', 'pending'),
  direction: fc.constantFrom('debit', 'credit'),
  kind: fc.constantFrom('payment', 'payment', 'transfer', 'cash-withdrawal', 'something new', undefined),
  currency: fc.constantFrom('AUD', 'AUD', 'USD'),
  amount: fc.integer({ min: -500, max: 500 }).map(cents),
  description: fc.constantFrom('CORNER CAFE', 'BPAY WATER BOARD', 'Direct Debit 012345 GYM', 'to sparechange RU1'),
  isBillPayment: fc.boolean(),
});

test('a line is rounded exactly when each of its traits is one of a purchase', () => {
  fc.assert(
    fc.property(line, (line) => {
      const isPurchase =
        line.status === 'posted' &&
        line.direction === 'debit' &&
        line.currency === 'AUD' &&
        line.kind === 'payment' &&
        line.amount > 0 &&
        line.description === 'CORNER CAFE' &&
        !line.isBillPayment;
      expect(reasonNotRounded(line, 'SPARECHANGE') === undefined).toBe(isPurchase);
    }),
    { numRuns: 2_000 },
  );
});

test('our own debits never round themselves up, on any statement', () => {
  const around = fc.string({ unit: 'grapheme', maxLength: 30 });
  const mark = fc.mixedCase(fc.constant('sparechange'));
  fc.assert(
    fc.property(around, mark, around, (before, mark, after) => {
      expect(why({ description: before + mark + after })).toBe('own debit');
    }),
  );
});
