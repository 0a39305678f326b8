import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  add,
  cents,
  dollars,
  formatCents,
  magnitude,
  moreOrLess,
  negate,
  noCents,
  parseDollars,
  subtract,
  total,
} from './money.ts';

const amount = fc.maxSafeInteger().map(cents);
/** Amounts that are read: 13 digits before the point. */
const readable = fc.integer({ min: -(10 ** 14), max: 10 ** 14 }).map(cents);

test.each([
  [342, '$3.42'],
  [5, '$0.05'],
  [-5, '-$0.05'],
  [0, '$0.00'],
  [120400, '$1,204.00'],
  [-12345678901, '-$123,456,789.01'],
])('%i cents are shown as %s', (value, shown) => {
  expect(formatCents(cents(value))).toBe(shown);
});

test.each([
  ['4.35', 435],
  ['4.3', 430],
  ['4', 400],
  ['-124.69', -12469],
  [' 0.07 ', 7],
  ['0.00', 0],
  ['1000000.10', 100000010],
])('%s dollars are %i cents', (text, value) => {
  expect(parseDollars(text)).toBe(value);
});

test.each([
  '',
  '.',
  '.5',
  '5.',
  '4.355',
  '1e3',
  '$4',
  '1,204.00',
  '--1',
  '+1',
  '4 .35',
  'NaN',
  '٤',
  '99999999999999.00',
])('%j is no amount in dollars', (text) => {
  expect(parseDollars(text)).toBeUndefined();
});

test('nothing is not less than nothing', () => {
  expect(Object.is(parseDollars('-0.00'), 0)).toBe(true);
});

test('writing an amount in dollars and reading it again gives the same cents', () => {
  fc.assert(
    fc.property(readable, (value) => {
      expect(parseDollars(dollars(value))).toBe(value);
    }),
  );
});

test('an amount is shown with a dollar sign, groups of three and two decimals', () => {
  fc.assert(
    fc.property(amount, (value) => {
      expect(formatCents(value)).toMatch(/^-?\$\d{1,3}(,\d{3})*\.\d{2}$/);
      expect(dollars(value)).toMatch(/^-?\d+\.\d{2}$/);
    }),
  );
});

test.each([0.5, 4.35, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('%d is no whole number of cents', (value) => {
  expect(() => cents(value)).toThrow(RangeError);
});

test('amounts add up, and nothing adds up to nothing', () => {
  expect(total([cents(1), cents(70), cents(-3)])).toBe(68);
  expect(total([])).toBe(0);
  expect(() => total([cents(Number.MAX_SAFE_INTEGER), cents(1)])).toThrow(RangeError);
});

test('sums, differences and the other sign are whole cents, and nothing has no sign', () => {
  expect(add(cents(1), cents(70), cents(-3))).toBe(68);
  expect(subtract(cents(65), cents(342))).toBe(-277);
  expect(negate(cents(65))).toBe(-65);
  expect(Object.is(negate(noCents), 0)).toBe(true);
  expect(() => subtract(cents(Number.MIN_SAFE_INTEGER), cents(1))).toThrow(RangeError);
});

test('a difference is said by its size and its side', () => {
  expect(moreOrLess(cents(500))).toBe('$5.00 more');
  expect(moreOrLess(cents(-120_405))).toBe('$1,204.05 less');
  fc.assert(
    fc.property(fc.maxSafeNat().map(cents), (each) => magnitude(each) === each && magnitude(negate(each)) === each),
  );
});
