import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, isoDate, monthStart } from './days.ts';
import { lastDayOf, monthToDeposit, parseMonth } from './savings-month.ts';

test.each([
  ['2026-12-01', '2026-11-01'],
  ['2026-12-31', '2026-11-01'],
  ['2027-01-04', '2026-12-01'],
  ['2028-03-01', '2028-02-01'],
])('on %s the month of %s is deposited', (day, month) => expect(monthToDeposit(isoDate(day))).toBe(month));

test('a month ends the day before the next one begins', () => {
  expect(lastDayOf(isoDate('2028-02-01'))).toBe('2028-02-29');
  const day = fc.integer({ min: 0, max: 40_000 }).map((days) => addDays(isoDate('2000-01-01'), days));
  fc.assert(
    fc.property(day, (day) => {
      const last = lastDayOf(monthStart(day));
      expect(last >= day && monthStart(last) === monthStart(day)).toBe(true);
      expect(monthToDeposit(addDays(last, 1))).toBe(monthStart(day));
    }),
  );
});

test('a month is written YYYY-MM', () => {
  expect(parseMonth('2026-11')).toBe('2026-11-01');
  for (const text of ['2026-13', '2026-00', '2026-1', '11-2026', '2026-11-01', ''])
    expect(parseMonth(text)).toBeUndefined();
});
