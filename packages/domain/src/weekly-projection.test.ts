import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, isoDate, weekday } from './days.ts';
import { cents } from './money.ts';
import { roundUpSteps } from './round-up.ts';
import { weeklyLimits } from './weekly-limit.ts';
import { averageWeek, leftOfLimit, limitStartsAgainOn, outlookPeriod } from './weekly-projection.ts';

const monday = isoDate('2026-11-02');
const bought = (...amounts: [days: number, amount: number][]) =>
  amounts.map(([days, amount]) => ({ day: addDays(monday, days), amount: cents(amount) }));

test('two weeks of purchases come to half of their spare change a week', () => {
  const purchases = bought([0, 430], [3, 110], [8, 450]);
  expect(averageWeek(purchases, 14, 100, 0)).toBe(110);
  expect(averageWeek(purchases, 14, 500, 0)).toBe(260);
});

test('a limit cuts each week by itself', () => {
  const purchases = bought([0, 1010], [1, 1010], [7, 1010]);
  expect(averageWeek(purchases, 14, 500, 750)).toBe(620);
  expect(averageWeek(purchases, 14, 500, 0)).toBe(740);
});

test('the last 90 days are looked back on, or those since the first, and a week at least', () => {
  expect(outlookPeriod(isoDate('2026-01-01'), isoDate('2026-11-25'))).toEqual({ from: '2026-08-27', days: 90 });
  expect(outlookPeriod(isoDate('2026-11-01'), isoDate('2026-11-25'))).toEqual({ from: '2026-11-01', days: 24 });
  expect(outlookPeriod(isoDate('2026-11-18'), isoDate('2026-11-25'))?.days).toBe(7);
  expect(outlookPeriod(isoDate('2026-11-19'), isoDate('2026-11-25'))).toBeUndefined();
});

test('a limit starts again on Monday', () => {
  expect(limitStartsAgainOn(isoDate('2026-11-25'))).toBe('2026-11-30');
  expect(limitStartsAgainOn(isoDate('2026-11-29'))).toBe('2026-11-30');
  expect(limitStartsAgainOn(isoDate('2026-11-30'))).toBe('2026-12-07');
});

test('what is left of a limit is never less than nothing', () => {
  expect(leftOfLimit(cents(620), 1000)).toBe(380);
  expect(leftOfLimit(cents(900), 750)).toBe(0);
});

const purchases = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 89 }), fc.integer({ min: 1, max: 20_000 })), { maxLength: 200 })
  .map((all) => bought(...all).sort((one, other) => (one.day < other.day ? -1 : 1)));
const anyStep = fc.constantFrom(...roundUpSteps);
const anyLimit = fc.constantFrom(...weeklyLimits);

test('a limit never makes it more, and no week is above the limit', () =>
  fc.assert(
    fc.property(purchases, anyStep, anyLimit, (all, step, limit) => {
      const week = averageWeek(all, 90, step, limit);
      expect(week).toBeLessThanOrEqual(averageWeek(all, 90, step, 0));
      // Ninety days touch at most 14 weeks.
      if (limit > 0) expect(week).toBeLessThanOrEqual(Math.round((limit * 14 * 7) / 90 / 10) * 10);
    }),
  ));

test('it starts again on the next Monday, one to seven days from now', () =>
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000 }), (days) => {
      const day = limitStartsAgainOn(addDays(monday, days));
      expect(weekday(day)).toBe(1);
      expect(day > addDays(monday, days) && day <= addDays(monday, days + 7)).toBe(true);
    }),
  ));
