import { LineChain } from '@sparechange/contract';
import { type Cents, cents, noCents } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { aLine } from '../../testing/makers.ts';
import { roundingWords, whyWords } from './line-words.ts';

const coffee = LineChain.parse(aLine());
const counting = (countedCents: Cents): LineChain => ({
  ...coffee,
  why: 'over the weekly limit',
  rounding: { stepCents: cents(100), weeklyLimitCents: cents(1000), rawCents: cents(65), countedCents },
});
const pair = { lineId: 'b', date: '2026-11-20', cents: cents(65) };
test('rounding reads as a sum', () => {
  expect(roundingWords(coffee)).toBe('$4.35 to the nearest $1 gives $0.65.');
  expect(roundingWords({ ...coffee, rounding: null })).toBeUndefined();
});

test('where all of it counts there is nothing to explain', () => expect(whyWords(coffee)).toBeUndefined());

test('a weekly limit says how much of it counts', () => {
  expect(whyWords(counting(cents(20)))).toBe(
    'Your weekly limit of $10.00 was reached, so only $0.20 of this round-up counts.',
  );
  expect(whyWords(counting(noCents))).toBe('Your weekly limit of $10.00 was reached, so none of this round-up counts.');
});

test('a purchase and its refund name each other', () => {
  expect(whyWords({ ...coffee, why: 'refunded', pair })).toBe(
    'It was paid back on 20-Nov-26, so its $0.65 is taken off again.',
  );
  const refund: LineChain = { ...coffee, why: 'a refund', rounding: null, pair };
  expect(whyWords({ ...refund, debits: [] })).toBe(
    'It pays back your purchase of 20-Nov-26, so $0.65 comes off your next debit.',
  );
  expect(whyWords(refund)).toBe(
    'It pays back your purchase of 20-Nov-26, so $0.65 was taken off the debit of Wed 18 Nov.',
  );
});

test.each([
  ['exact amount', /exact amount/],
  ['paused', /paused/],
  ['a bill', /BPAY/],
  ['not a purchase', /transfers/],
  ['waiting for your bank', /as soon as it has/],
] as const)('"%s" has a sentence', (why, words) => expect(whyWords({ ...coffee, rounding: null, why })).toMatch(words));
