import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, type IsoDate, isoDate, monthStart } from './days.ts';
import {
  financialYearStart,
  fullDay,
  lastDayOfPeriod,
  periodInWords,
  periodOf,
  receiptPeriods,
} from './receipt-period.ts';

const day = fc.integer({ min: 0, max: 20_000 }).map((days) => addDays(isoDate('2000-01-01'), days));
const kind = fc.constantFrom('month' as const, 'year' as const);

test.each([
  ['2026-06-30', '2025-07-01'],
  ['2026-07-01', '2026-07-01'],
  ['2027-01-31', '2026-07-01'],
])('%s is in the financial year from %s', (of, from) => expect(financialYearStart(isoDate(of))).toBe(from));

test('a period is said in words', () => {
  expect(fullDay(isoDate('2026-11-05'))).toBe('5 November 2026');
  expect(periodInWords({ kind: 'month', firstDay: isoDate('2026-11-01') })).toBe('November 2026');
  expect(periodInWords({ kind: 'year', firstDay: isoDate('2025-07-01') })).toBe('1 July 2025 to 30 June 2026');
});

test('each day is in exactly one period of a kind', () =>
  fc.assert(
    fc.property(kind, day, (kind, day) => {
      const period = periodOf(kind, day);
      expect(period.firstDay <= day && day <= lastDayOfPeriod(period)).toBe(true);
      expect(periodOf(kind, lastDayOfPeriod(period))).toEqual(period);
      expect(periodOf(kind, addDays(lastDayOfPeriod(period), 1)).firstDay).toBe(addDays(lastDayOfPeriod(period), 1));
    }),
  ));

describe('receipts', () => {
  const months = ['2026-05-01', '2026-06-01', '2026-07-01'].map(isoDate);
  const shown = (until: string | undefined) =>
    receiptPeriods(months, until as IsoDate | undefined).map(({ kind, firstDay }) => `${kind} ${firstDay}`);

  test('are there once the period is closed, newest first', () => {
    expect(shown(undefined)).toEqual([]);
    expect(shown('2026-06-29')).toEqual(['month 2026-05-01']);
    expect(shown('2026-06-30')).toEqual(['year 2025-07-01', 'month 2026-06-01', 'month 2026-05-01']);
    expect(shown('2026-08-03')).toEqual([
      'month 2026-07-01',
      'year 2025-07-01',
      'month 2026-06-01',
      'month 2026-05-01',
    ]);
  });

  test('are never taken away again, and a year has one when all its months have', () =>
    fc.assert(
      fc.property(fc.array(day, { maxLength: 20 }), day, fc.nat(400), (days, closed, later) => {
        const of = days.map(monthStart);
        const [before, after] = [receiptPeriods(of, closed), receiptPeriods(of, addDays(closed, later))];
        expect(after).toEqual(expect.arrayContaining(before));
        for (const { firstDay } of before.filter(({ kind }) => kind === 'year')) {
          const its = of.filter((month) => financialYearStart(month) === firstDay);
          expect(before).toEqual(expect.arrayContaining(its.map((month) => ({ kind: 'month', firstDay: month }))));
        }
      }),
    ));
});
