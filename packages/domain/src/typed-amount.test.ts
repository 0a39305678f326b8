import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cents, dollars, formatCents } from './money.ts';
import { parseTypedAmount, parseWholeDollars } from './typed-amount.ts';

test.each([
  ['2', 200],
  ['2.5', 250],
  ['2,5', 250],
  ['2.50', 250],
  ['2,50', 250],
  ['0.05', 5],
  ['007', 700],
  [' 25 ', 2500],
  ['$25', 2500],
  ['$ 25.00', 2500],
  ['1,234', 123_400],
  ['1,234.50', 123_450],
  ['1 234,50', 123_450],
  ['1\u00a0234\u00a0567.50', 123_456_750],
  ['999999999', 99_999_999_900],
])('%j is typed for %d cents', (typed, amount) => expect(parseTypedAmount(typed)).toBe(amount));

test.each([
  '',
  '.',
  '.5',
  '5.',
  '5,',
  '1e2',
  '1E2',
  '0x10',
  '2.505',
  '2,505,',
  '0,250',
  '12,34,567',
  '1,234 567',
  '1234,567',
  '2.50.1',
  '-5',
  '\u22125',
  '+5',
  '(5)',
  '5-',
  'A$5',
  '5 AUD',
  '4 .35',
  'NaN',
  'Infinity',
  '\u0664',
  '\uff15',
  '1000000000',
])('%j is no amount', (typed) => expect(parseTypedAmount(typed)).toBeUndefined());

test('an amount that is shown or travels is read as it was, with a comma for the point too', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99_999_999_999 }).map(cents), (amount) => {
      for (const typed of [formatCents(amount), dollars(amount), dollars(amount).replace('.', ',')])
        expect(parseTypedAmount(typed)).toBe(amount);
    }),
  );
});

test.each([
  ['5000', 5000],
  ['$5,000', 5000],
  ['5000,00', 5000],
  ['0', undefined],
  ['2,50', undefined],
  ['1e3', undefined],
])('%j is a goal of %j whole dollars', (typed, goal) => expect(parseWholeDollars(typed)).toBe(goal));
