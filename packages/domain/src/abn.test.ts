import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isAbn } from './abn.ts';

test.each(['51824753556', '51 824 753 556', '53004085616'])('%s is an ABN', (abn) => expect(isAbn(abn)).toBe(true));

test.each(['51824753557', '12345678901', '5182475355', '518247535560', '51-824-753-556', 'A1824753556', ''])(
  '"%s" is none',
  (text) => expect(isAbn(text)).toBe(false),
);

/** Nine free digits and the two check digits that go before them: the register's own way of making one. */
const abn = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 9, maxLength: 9 }).map((free) => {
  const sum = free.reduce((sum, digit, at) => sum + digit * (3 + 2 * at), 0);
  return `${10 + ((89 - (sum % 89)) % 89)}${free.join('')}`;
});

test('check digits made as the register makes them are right', () =>
  fc.assert(
    fc.property(abn, (abn) => {
      expect(isAbn(abn)).toBe(true);
    }),
  ));

test('none begins with 0, although the check digits would be right', () => {
  const withZero = fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: 10, maxLength: 10 })
    .map((rest) => `0${rest.join('')}`);
  fc.assert(
    fc.property(withZero, (text) => {
      expect(isAbn(text)).toBe(false);
    }),
    { numRuns: 2_000, examples: [['00000000019'], ['00000000791']] },
  );
});

test('one digit mistyped is detected', () =>
  fc.assert(
    fc.property(abn, fc.nat(10), fc.integer({ min: 1, max: 9 }), (abn, at, off) => {
      const mistyped = abn.slice(0, at) + ((Number(abn[at]) + off) % 10) + abn.slice(at + 1);
      expect(isAbn(mistyped)).toBe(false);
    }),
  ));
