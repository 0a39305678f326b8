import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cents } from './money.ts';
import { differencesOf, usualOf } from './unusual-debit.ts';

const debits = (amounts: number[], accountId = 'everyday') =>
  amounts.map((amount) => ({ amount: cents(amount), accountId }));
const unusual = (amount: number, earlier: ReturnType<typeof debits>) =>
  differencesOf({ amount: cents(amount), accountId: 'everyday', earlier });

test('the first debit is unusual, and in no other way', () => expect(unusual(100_00, [])).toEqual(['first debit']));

test('more than three times the middle of the last eight is far above', () => {
  const eight = debits([400, 400, 400, 400, 500, 500, 500, 500]);
  expect(unusual(1200, eight)).toEqual([]);
  expect(unusual(1201, eight)).toEqual(['far above their usual']);
  expect(unusual(1201, [...eight, ...debits(Array(20).fill(9_000))])).toEqual(['far above their usual']);
});

test('two debits do not say what is usual', () => {
  expect(unusual(99_00, debits([100, 100]))).toEqual([]);
  expect([usualOf(debits([100, 100])), usualOf(debits([100, 300, 100]))]).toEqual([null, 100]);
});

test('an account that the last debit was not taken from is unusual', () => {
  expect(unusual(400, [...debits([400], 'old'), ...debits([400])])).toEqual(['another account']);
  expect(unusual(400, [...debits([400]), ...debits([400], 'old')])).toEqual([]);
});

const amount = fc.integer({ min: 1, max: 1_000_00 });

test('what a supporter was always asked for is never unusual, and the order of earlier debits does not matter', () =>
  fc.assert(
    fc.property(amount, fc.array(amount, { minLength: 1, maxLength: 8 }), (now, before) => {
      expect(unusual(now, debits(before.map(() => now)))).toEqual([]);
      expect(unusual(now, debits(before))).toEqual(unusual(now, debits(before.toReversed())));
    }),
  ));
