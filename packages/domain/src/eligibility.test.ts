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
