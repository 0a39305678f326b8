import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, isoDate, weekday } from './days.ts';
import { cents } from './money.ts';
import { averageWeek, leftOfLimit, limitStartsAgainOn, projectionPeriod } from './weekly-projection.ts';

const monday = isoDate('2026-11-02');

test('the average week is what counted by the days it took, to the nearest 10 cents', () => {
  expect(averageWeek(cents(220), 14)).toBe(110);
  expect(averageWeek(cents(140), 90)).toBe(10);
  expect(averageWeek(cents(0), 90)).toBe(0);
});

test('the last 90 days are looked back on, or those since the first, and a week at least', () => {
  expect(projectionPeriod(isoDate('2026-01-01'), isoDate('2026-11-25'))).toEqual({ from: '2026-08-27', days: 90 });
  expect(projectionPeriod(isoDate('2026-11-01'), isoDate('2026-11-25'))).toEqual({ from: '2026-11-01', days: 24 });
  expect(projectionPeriod(isoDate('2026-11-18'), isoDate('2026-11-25'))?.days).toBe(7);
  expect(projectionPeriod(isoDate('2026-11-19'), isoDate('2026-11-25'))).toBeUndefined();
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

test('it starts again on the next Monday, one to seven days from now', () =>
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000 }), (days) => {
      const day = limitStartsAgainOn(addDays(monday, days));
      expect(weekday(day)).toBe(1);
      expect(day > addDays(monday, days) && day <= addDays(monday, days + 7)).toBe(true);
    }),
  ));
