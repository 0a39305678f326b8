import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isBankingDay } from './banking-calendar.ts';
import { addDays, isoDate, monthStart } from './days.ts';
import { nextDeposit } from './next-deposit.ts';

test.each([
  ['2026-11-25', '2026-12-01', '2026-11-01'],
  ['2026-12-01', '2027-01-04', '2026-12-01'], // New Year's Day, then a weekend
  ['2027-01-02', '2027-01-04', '2026-12-01'],
  ['2027-01-04', '2027-02-01', '2027-01-01'],
])('on %s the next deposit is that of %s, for the month of %s', (day, date, month) =>
  expect(nextDeposit(isoDate(day))).toEqual({ date, month }),
);

test('it is the first banking day of its month, after today, with none between', () =>
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 3000 }), (days) => {
      const day = addDays(isoDate('2024-01-01'), days);
      const { date, month } = nextDeposit(day);
      expect(date > day && isBankingDay(date)).toBe(true);
      for (let before = monthStart(date); before < date; before = addDays(before, 1)) {
        expect(isBankingDay(before)).toBe(false);
      }
      expect(month).toBe(monthStart(addDays(monthStart(date), -1)));
      expect(nextDeposit(addDays(date, -1)).date).toBe(date);
    }),
  ));
