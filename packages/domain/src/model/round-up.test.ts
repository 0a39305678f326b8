import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, isoDate } from '../days.ts';
import { cents, total } from '../money.ts';
import { roundUpSteps } from '../round-up.ts';
import { weeklyLimits } from '../weekly-limit.ts';
import { countedWithinLimit, roundUp, shareBetween, spareChange } from './round-up.ts';

const amount = fc.integer({ min: 1, max: 1_000_00 }).map(cents);
const step = fc.constantFrom(...roundUpSteps);
const limit = fc.constantFrom(...weeklyLimits);

test.each([
  [350, 50, 50, 150],
  [400, 0, 0, 100],
  [430, 70, 170, 70],
  [1300, 0, 100, 200],
  [1, 99, 199, 499],
  [500, 0, 100, 0],
  [999, 1, 1, 1],
])('%i cents round up by %i, %i and %i to $1, $2 and $5', (purchase, ...expected) => {
  expect(roundUpSteps.map((each) => roundUp(cents(purchase), each))).toEqual(expected);
});

test('purchase and spare change land on the step, and the change is less than one step', () => {
  fc.assert(
    fc.property(amount, step, (purchase, step) => {
      const spare = roundUp(purchase, step);
      expect((purchase + spare) % step).toBe(0);
      expect(spare >= 0 && spare < step).toBe(true);
    }),
  );
});

test.each([
  [70, 0, 750, 70],
  [70, 680, 750, 70],
  [70, 700, 750, 50],
  [70, 750, 750, 0],
  [70, 900, 750, 0],
  [70, 900, 0, 70],
] as const)(
  'a round-up of %i with %i of the week used counts, under a limit of %i, %i',
  (raw, used, limit, counted) => {
    expect(countedWithinLimit(cents(raw), cents(used), limit)).toBe(counted);
  },
);

test('the round-ups of a week add up to everything, or to the limit and no cent more', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(499).map(cents)), limit, (raws, limit) => {
      let used = cents(0);
      for (const raw of raws) used = total([used, countedWithinLimit(raw, used, limit)]);
      expect(used).toBe(limit === 0 ? total(raws) : Math.min(limit, total(raws)));
    }),
  );
});

test.each([
  [145, true, 73, 72],
  [144, true, 72, 72],
  [1, true, 1, 0],
  [145, false, 145, 0],
])('of a debit of %i cents, savings being %s, %i are for the club and %i for savings', (debit, isOn, club, savings) => {
  expect(shareBetween(cents(debit), isOn)).toEqual({ club, savings });
});

test('both shares make the debit, and they differ by one cent at most', () => {
  fc.assert(
    fc.property(amount, (debit) => {
      const { club, savings } = shareBetween(debit, true);
      expect(club + savings).toBe(debit);
      expect(club - savings).toBe(debit % 2);
    }),
  );
});

const monday = isoDate('2026-11-02');
const bought = (...amounts: [days: number, amount: number][]) =>
  amounts.map(([days, amount]) => ({ day: addDays(monday, days), amount: cents(amount) }));

test('a limit cuts each week separately', () => {
  const purchases = bought([0, 1010], [1, 1010], [7, 1010]);
  expect(spareChange(purchases, 500, 750)).toBe(1240);
  expect(spareChange(purchases, 500, 0)).toBe(1470);
});

const purchases = fc
  .array(fc.tuple(fc.nat(89), fc.integer({ min: 1, max: 20_000 })), { maxLength: 200 })
  .map((all) => bought(...all).sort((one, other) => (one.day < other.day ? -1 : 1)));

test('a limit never makes it more, and no week is above the limit', () =>
  fc.assert(
    fc.property(purchases, step, limit, (all, step, limit) => {
      const counted = spareChange(all, step, limit);
      expect(counted).toBeLessThanOrEqual(spareChange(all, step, 0));
      if (limit > 0) expect(counted).toBeLessThanOrEqual(limit * 13);
    }),
  ));
