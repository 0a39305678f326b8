import fc from 'fast-check';
import { expect, test } from 'vitest';
import { apportion } from './apportion.ts';
import { shareBetween } from './model/round-up.ts';
import { cents, total } from './money.ts';

const parts = (...amounts: number[]) => amounts.map(cents);

test('half of a debit of $1.35 is 67 cents, and the cents that are left go where most was cut off', () => {
  expect(apportion(cents(67), parts(70, 65))).toEqual([35, 32]);
  expect(apportion(cents(67), parts(65, 70))).toEqual([32, 35]);
});

test('of equal remainders the first gets the cent', () => {
  expect(apportion(cents(1), parts(1, 1))).toEqual([1, 0]);
  expect(apportion(cents(2), parts(5, 5, 5))).toEqual([1, 1, 0]);
});

test('what a refund takes off takes its share off as well', () => {
  expect(apportion(cents(30), parts(65, 65, -70))).toEqual([33, 32, -35]);
});

const counted = fc.integer({ min: 0, max: 499 }).map(cents);
const takenOff = fc.integer({ min: -499, max: 0 }).map(cents);
const debit = fc
  .tuple(fc.array(counted, { minLength: 1, maxLength: 60 }), fc.array(takenOff, { maxLength: 5 }))
  .map(([up, off]) => [...up, ...off])
  .filter((all) => total(all) > 0);

test('the shares of a savings half add up to it, and nobody shares more than their own cents', () =>
  fc.assert(
    fc.property(debit, (all) => {
      const { savings, club } = shareBetween(total(all), true);
      const shares = apportion(savings, all);
      expect(total(shares)).toBe(savings);
      const clubs = shares.map((share, place) => cents((all[place] ?? 0) - share));
      expect(total(clubs)).toBe(club);
      for (const [place, share] of shares.entries()) {
        const own = all[place] ?? 0;
        expect(Math.abs(share)).toBeLessThanOrEqual(Math.abs(own));
        expect(share * own).toBeGreaterThanOrEqual(0);
        expect(Math.abs(share - (own * savings) / total(all))).toBeLessThan(1);
      }
    }),
  ));
