import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cents } from './money.ts';
import { splitRepayment } from './repayment.ts';

test('half of a debit is given back by club and savings alike, the cent that is left over by the club', () =>
  expect(splitRepayment({ club: cents(46), savings: cents(45) }, cents(45))).toEqual({ club: 23, savings: 22 }));

test('more than is left is refused', () => {
  expect(() => splitRepayment({ club: cents(10), savings: cents(0) }, cents(11))).toThrow(RangeError);
  expect(() => splitRepayment({ club: cents(10), savings: cents(0) }, cents(0))).toThrow(RangeError);
});

test('however a debit is given back, in the end all of it is, and no part falls below zero on the way', () =>
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100_000 }),
      fc.integer({ min: 0, max: 100_000 }),
      fc.array(fc.integer({ min: 1, max: 50_000 }), { maxLength: 8 }),
      (club, savings, amounts) => {
        let left = { club: cents(club), savings: cents(savings) };
        const take = (amount: number) => {
          const part = splitRepayment(left, cents(amount));
          expect(part.club + part.savings).toBe(amount);
          left = { club: cents(left.club - part.club), savings: cents(left.savings - part.savings) };
          expect(left.club >= 0 && left.savings >= 0).toBe(true);
        };
        for (const amount of amounts) if (amount <= left.club + left.savings) take(amount);
        const rest = left.club + left.savings;
        if (rest > 0) take(rest);
        expect(left).toEqual({ club: 0, savings: 0 });
      },
    ),
  ));
