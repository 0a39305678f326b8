import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  bankingDayOnOrAfter,
  calendarEndsSoon,
  isBankingDay,
  isDebitDay,
  nextBankingDay,
  nextDebitDay,
  setExtraClosedDays,
  upcomingDebitDay,
} from './banking-calendar.ts';
import { addDays, type IsoDate, isoDate, sydneyDay, sydneyTime, weekday } from './days.ts';
import { publicHolidays } from './public-holidays.ts';
import { lastSettlementYear, settlementHolidays } from './settlement-holidays.ts';

const day = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2045-01-01'), noInvalidDate: true })
  .map((date) => isoDate(date.toISOString().slice(0, 10)));

test.each([
  ['2026-01-01', "New Year's Day"],
  ['2026-01-26', 'Australia Day'],
  ['2025-01-27', 'the Monday after an Australia Day on a Sunday'],
  ['2026-04-03', 'Good Friday'],
  ['2026-04-06', 'Easter Monday'],
  ['2027-03-29', 'Easter Monday of another year'],
  ['2025-04-25', 'Anzac Day'],
  ['2026-06-08', "the King's Birthday"],
  ['2027-06-14', "the King's Birthday of another year"],
  ['2033-06-13', "the King's Birthday of a year beyond the list"],
  ['2026-12-25', 'Christmas Day'],
  ['2026-12-28', 'the Monday after a Boxing Day on a Saturday'],
  ['2027-12-27', 'the Monday after a Christmas Day on a Saturday'],
  ['2027-12-28', 'the Tuesday after a Boxing Day on a Sunday'],
  ['2022-12-27', 'the Tuesday after a Christmas Day on a Sunday'],
  ['2028-01-03', "the Monday after a New Year's Day on a Saturday"],
  ['2026-11-28', 'a Saturday'],
  ['2026-11-29', 'a Sunday'],
])('on %s, %s, banks do not work', (on) => {
  expect(isBankingDay(isoDate(on))).toBe(false);
});

test.each([
  ['2026-11-03', 'Melbourne Cup Day'],
  ['2026-04-27', 'the Monday after an Anzac Day on a Saturday'],
  ['2026-04-02', 'the Thursday before Easter'],
  ['2026-11-25', 'an ordinary Wednesday'],
])('on %s, %s, banks work', (on) => {
  expect(isBankingDay(isoDate(on))).toBe(true);
});

test('the list of settlement holidays has every year to 2032, holds weekdays only and agrees with the rules', () => {
  for (let year = 2026; year <= 2032; year += 1) {
    const listed = settlementHolidays.filter((each) => each.startsWith(String(year)));
    expect(listed).toEqual(publicHolidays(String(year)));
  }
  expect(settlementHolidays.at(-1)?.slice(0, 4)).toBe(lastSettlementYear);
});

test.each([
  ['2026-11-25', false],
  ['2031-12-31', false],
  ['2032-01-05', true],
])('on %s it is %s that the list is to be continued', (on, isSoon) => {
  expect(calendarEndsSoon(isoDate(on))).toBe(isSoon);
});

const debitDays = (from: string, until: string): IsoDate[] => {
  const days: IsoDate[] = [];
  for (let on = isoDate(from); on <= until; on = addDays(on, 1)) if (isDebitDay(on)) days.push(on);
  return days;
};

test.each([
  ['an ordinary week', '2026-11-23', '2026-11-29', ['2026-11-23', '2026-11-25', '2026-11-27']],
  ["the King's Birthday goes with Tuesday", '2027-06-14', '2027-06-18', ['2027-06-15', '2027-06-16', '2027-06-18']],
  [
    'Easter: Friday and Monday go with Tuesday',
    '2026-04-01',
    '2026-04-10',
    ['2026-04-01', '2026-04-07', '2026-04-08', '2026-04-10'],
  ],
  [
    'Australia Day on a Monday goes with Tuesday',
    '2026-01-26',
    '2026-01-30',
    ['2026-01-27', '2026-01-28', '2026-01-30'],
  ],
  [
    'Christmas on a Friday and a Monday given for Boxing Day go with Tuesday',
    '2026-12-23',
    '2026-12-30',
    ['2026-12-23', '2026-12-29', '2026-12-30'],
  ],
  ["New Year's Day on a Friday is merged with Monday's run", '2026-12-30', '2027-01-05', ['2026-12-30', '2027-01-04']],
  [
    'Christmas on a Wednesday goes past Boxing Day, into the run of Friday',
    '2024-12-23',
    '2024-12-28',
    ['2024-12-23', '2024-12-27'],
  ],
  [
    'Anzac Day on a Wednesday goes with Thursday',
    '2029-04-23',
    '2029-04-27',
    ['2029-04-23', '2029-04-26', '2029-04-27'],
  ],
  ['a holiday on a Tuesday moves nothing', '2022-12-23', '2022-12-30', ['2022-12-23', '2022-12-28', '2022-12-30']],
])('%s', (_what, from, until, expected) => {
  expect(debitDays(from, until)).toEqual(expected);
});

test('every Monday, Wednesday and Friday is debited on the next banking day, and no other day is', () => {
  fc.assert(
    fc.property(day, (on) => {
      if ([1, 3, 5].includes(weekday(on))) expect(isDebitDay(bankingDayOnOrAfter(on))).toBe(true);
      if (!isDebitDay(on)) return;
      let first = on;
      while (!isBankingDay(addDays(first, -1))) first = addDays(first, -1);
      const stands = Array.from({ length: 7 }, (_, ahead) => addDays(first, ahead)).filter((each) => each <= on);
      expect(stands.some((each) => [1, 3, 5].includes(weekday(each)))).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('the next debit day comes after the day, is a debit day and has none before it', () => {
  fc.assert(
    fc.property(day, (on) => {
      const next = nextDebitDay(on);
      expect(next > on && isDebitDay(next)).toBe(true);
      for (let between = addDays(on, 1); between < next; between = addDays(between, 1)) {
        expect(isDebitDay(between)).toBe(false);
      }
    }),
  );
});

test('the next banking day comes after the day, and none is between', () => {
  fc.assert(
    fc.property(day, (on) => {
      const next = nextBankingDay(on);
      expect(next > on && isBankingDay(next)).toBe(true);
      for (let between = addDays(on, 1); between < next; between = addDays(between, 1)) {
        expect(isBankingDay(between)).toBe(false);
      }
      expect(bankingDayOnOrAfter(on)).toBe(isBankingDay(on) ? on : next);
    }),
  );
});

test('at any moment the next run is the first one of the calendar that is still to come', () => {
  const second = fc.integer({ min: 0, max: 86_399 });
  fc.assert(
    fc.property(day, second, (on, second) => {
      const now = new Date(sydneyTime(on, '00:00').getTime() + second * 1_000);
      const next = upcomingDebitDay(now);
      expect(isDebitDay(next) && sydneyTime(next, '06:00') > now).toBe(true);
      for (let between = sydneyDay(now); between < next; between = addDays(between, 1)) {
        if (isDebitDay(between)) expect(sydneyTime(between, '06:00') <= now).toBe(true);
      }
    }),
  );
});

test.each([
  ['2026-11-24T18:59:59Z', '2026-11-25', 'a second before six on a Wednesday'],
  ['2026-11-24T19:00:00Z', '2026-11-27', 'at six on a Wednesday'],
  ['2026-11-26T02:00:00Z', '2026-11-27', 'on a Thursday'],
  ['2026-11-27T02:00:00Z', '2026-11-30', 'on a Friday after the run'],
  ['2026-07-06T19:59:59Z', '2026-07-08', 'on a Tuesday, in winter'],
  ['2026-07-07T19:59:59Z', '2026-07-08', 'a second before six on a Wednesday in winter'],
  ['2026-07-07T20:00:00Z', '2026-07-10', 'at six on a Wednesday in winter'],
  ['2026-10-04T18:59:59Z', '2026-10-05', 'before six on the first Monday of daylight saving'],
  ['2026-10-04T19:00:00Z', '2026-10-07', 'at six on the first Monday of daylight saving'],
  ['2026-04-05T19:30:00Z', '2026-04-07', 'on the Easter Monday after daylight saving ended'],
  ['2026-12-24T13:00:00Z', '2026-12-29', 'as Christmas begins'],
])('seen at %s the next debit is on %s: %s', (now, expected) => {
  expect(upcomingDebitDay(new Date(now))).toBe(expected);
});

test('an extra closed day moves debits, settlement and payouts as a holiday does, and opens again', () => {
  const [wednesday, thursday] = [isoDate('2026-11-25'), isoDate('2026-11-26')];
  setExtraClosedDays([wednesday]);
  try {
    expect([isBankingDay(wednesday), isDebitDay(wednesday), isDebitDay(thursday)]).toEqual([false, false, true]);
    expect(bankingDayOnOrAfter(wednesday)).toBe(thursday);
    expect(nextDebitDay(isoDate('2026-11-23'))).toBe(thursday);
  } finally {
    setExtraClosedDays([]);
  }
  expect([isBankingDay(wednesday), isDebitDay(wednesday), isDebitDay(thursday)]).toEqual([true, true, false]);
});
