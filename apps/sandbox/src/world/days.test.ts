import Holidays from 'date-holidays';
import { expect, test } from 'vitest';
import {
  addBankingDays,
  addDays,
  addMonths,
  bankingDayOnOrAfter,
  isBankingDay,
  parseInstant,
  sydneyDate,
  sydneyInstant,
  weekday,
} from './days.ts';

test('a Sydney day begins at 13:00 or 14:00 UTC of the day before', () => {
  expect(new Date(sydneyInstant('2026-07-01')).toISOString()).toBe('2026-06-30T14:00:00.000Z');
  expect(new Date(sydneyInstant('2026-12-01')).toISOString()).toBe('2026-11-30T13:00:00.000Z');
  expect(sydneyDate(sydneyInstant('2026-12-01'))).toBe('2026-12-01');
  expect(sydneyDate(sydneyInstant('2026-12-01') - 1)).toBe('2026-11-30');
});

test('banks are closed on the weekdays that another calendar lists, and on the second Monday of June', () => {
  const australia = new Holidays('AU');
  for (let year = 2024; year < 2064; year += 1) {
    const holidays = australia.getHolidays(year).filter(({ type }) => type === 'public');
    const listed = [...new Set(holidays.map(({ date }) => date.slice(0, 10)))].filter((date) => weekday(date) <= 5);
    const closed = Array.from({ length: 366 }, (_, index) => addDays(`${year}-01-01`, index)).filter(
      (date) => date.startsWith(String(year)) && weekday(date) <= 5 && !isBankingDay(date),
    );
    expect(closed.filter((date) => date.slice(5, 7) !== '06')).toEqual(listed.sort());
    expect(closed.filter((date) => date.slice(5, 7) === '06')).toHaveLength(1);
  }
});

test('weekends and national holidays are no banking days', () => {
  expect(weekday('2026-11-21')).toBe(6);
  expect(isBankingDay('2026-11-20')).toBe(true);
  expect(isBankingDay('2026-11-21')).toBe(false);
  expect(isBankingDay('2026-12-25')).toBe(false);
  expect(isBankingDay('2026-12-28')).toBe(false);
  expect(isBankingDay('2026-06-08')).toBe(false);
  expect(isBankingDay('2027-06-15')).toBe(true);
  expect(bankingDayOnOrAfter('2026-12-25')).toBe('2026-12-29');
  expect(addBankingDays('2026-12-23', 2)).toBe('2026-12-29');
  expect(addBankingDays('2026-11-20', 2)).toBe('2026-11-24');
});

test('days and months count across their ends', () => {
  expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
  expect(addMonths('2026-01', -1)).toBe('2025-12');
  expect(addMonths('2026-12', 1)).toBe('2027-01');
});

test('a time without a zone is read as Sydney time', () => {
  expect(parseInstant('2026-11-23T06:00:00')).toBe(Date.parse('2026-11-22T19:00:00Z'));
  expect(parseInstant('2026-11-23T06:00:00Z')).toBe(Date.parse('2026-11-23T06:00:00Z'));
  expect(parseInstant('tomorrow')).toBeUndefined();
});
