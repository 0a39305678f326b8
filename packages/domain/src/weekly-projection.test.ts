import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, isoDate, weekday } from './days.ts';
import { spareChange } from './model/round-up.ts';
import { cents } from './money.ts';
import { roundUpSteps } from './round-up.ts';
import { averageWeek, leftOfLimit, limitStartsAgainOn, projectionPeriod } from './weekly-projection.ts';

const monday = isoDate('2026-11-02');

test('the average week is what counted by the days it took, to the nearest 10 cents', () => {
  expect(averageWeek(cents(220), 14)).toBe(110);
  expect(averageWeek(cents(140), 90)).toBe(10);
  expect(averageWeek(cents(0), 90)).toBe(0);
});

test('an average week is never above the limit', () => {
  expect(averageWeek(cents(2000), 10, 1000)).toBe(1000);
  expect(averageWeek(cents(1000), 10, 1000)).toBe(700);
});

test('the whole weeks of the last 90 days are looked back on, or of those since the first', () => {
  const wednesday = isoDate('2026-11-25');
  const until = '2026-11-22';
  expect(projectionPeriod(isoDate('2026-01-01'), wednesday)).toEqual({
    from: '2026-08-31',
    until,
    days: 84,
    wholeWeeks: 12,
  });
  expect(projectionPeriod(monday, wednesday)).toEqual({ from: '2026-11-02', until, days: 21, wholeWeeks: 3 });
  expect(projectionPeriod(isoDate('2026-11-03'), wednesday)).toMatchObject({ from: '2026-11-09', wholeWeeks: 2 });
});

test('until there is a whole week the days since the first are, seven at least', () => {
  const tuesday = isoDate('2026-11-17');
  expect(projectionPeriod(tuesday, isoDate('2026-11-25'))).toEqual({
    from: tuesday,
    until: '2026-11-24',
    days: 8,
    wholeWeeks: null,
  });
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

test('no outlook is above its limit, for any purchases and any first day', () =>
  fc.assert(
    fc.property(
      fc.array(fc.record({ ago: fc.integer({ min: 0, max: 100 }), cents: fc.integer({ min: 1, max: 20_000 }) }), {
        maxLength: 200,
      }),
      fc.integer({ min: 7, max: 120 }),
      fc.integer({ min: 0, max: 6 }),
      (bought, age, day) => {
        const today = addDays(isoDate('2026-11-23'), day);
        const period = projectionPeriod(addDays(today, -age), today);
        if (!period) throw new Error('there are days to look back on');
        const purchases = bought
          .map(({ ago, cents: amount }) => ({ day: addDays(today, -ago), amount: cents(amount) }))
          .filter((purchase) => purchase.day >= period.from && purchase.day <= period.until);
        for (const step of roundUpSteps) {
          for (const limit of [750, 1000, 1250] as const) {
            const counted = spareChange(purchases, step, limit);
            if (period.wholeWeeks) expect(averageWeek(counted, period.days)).toBeLessThanOrEqual(limit);
            expect(averageWeek(counted, period.days, limit)).toBeLessThanOrEqual(limit);
          }
        }
      },
    ),
  ));
