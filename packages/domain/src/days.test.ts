import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addDays,
  daysBetween,
  historyDate,
  inIsoOrder,
  isoDate,
  longDay,
  monthStart,
  monthYear,
  shortDay,
  sydneyClockTime,
  sydneyDateTime,
  sydneyDay,
  sydneyTime,
  weekday,
  weekStart,
  yearStart,
} from './days.ts';

const day = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
  .map((date) => isoDate(date.toISOString().slice(0, 10)));

test.each([
  '2026-02-29',
  '2026-13-01',
  '2026-00-10',
  '2026-1-1',
  '26-01-01',
  '2026-01-01T00:00',
  '',
  ' 2026-01-01',
  '0000-01-01',
])('%j is no day', (text) => {
  expect(() => isoDate(text)).toThrow(RangeError);
});

test('29 February is a day in a leap year', () => {
  expect(isoDate('2028-02-29')).toBe('2028-02-29');
});

test.each([
  ['2026-11-24T12:59:59Z', '2026-11-24', 'a second before midnight in summer'],
  ['2026-11-24T13:00:00Z', '2026-11-25', 'midnight in summer'],
  ['2026-07-01T13:59:59Z', '2026-07-01', 'a second before midnight in winter'],
  ['2026-07-01T14:00:00Z', '2026-07-02', 'midnight in winter'],
  ['2026-12-31T13:00:00Z', '2027-01-01', 'new year'],
  ['2026-10-03T15:59:59Z', '2026-10-04', 'before daylight saving begins'],
  ['2026-10-03T16:00:00Z', '2026-10-04', 'after daylight saving begins'],
  ['2026-04-04T15:30:00Z', '2026-04-05', 'the first half past two of the night it ends'],
  ['2026-04-04T16:30:00Z', '2026-04-05', 'the second half past two of the night it ends'],
])('%s is %s in Sydney: %s', (instant, expected) => {
  expect(sydneyDay(new Date(instant))).toBe(expected);
});

test.each([
  ['2026-11-25', '06:00', '2026-11-24T19:00:00.000Z', 'in summer'],
  ['2026-07-01', '06:00', '2026-06-30T20:00:00.000Z', 'in winter'],
  ['2026-10-04', '06:00', '2026-10-03T19:00:00.000Z', 'on the day daylight saving begins'],
  ['2026-10-04', '02:30', '2026-10-03T16:30:00.000Z', 'skipped by daylight saving: moved forward'],
  ['2026-04-05', '06:00', '2026-04-04T20:00:00.000Z', 'on the day daylight saving ends'],
] as const)('%s %s in Sydney is %s: %s', (on, time, instant, _when) => {
  expect(sydneyTime(isoDate(on), time).toISOString()).toBe(instant);
});

test('any time of a day in Sydney falls on that day', () => {
  fc.assert(
    fc.property(day, fc.nat(23), fc.nat(59), (on, hour, minute) => {
      expect(sydneyDay(sydneyTime(on, `${hour}:${minute}`.replace(/\b\d\b/g, '0$&') as `${number}:${number}`))).toBe(
        on,
      );
    }),
  );
});

test('a week begins on its Monday and holds seven days', () => {
  fc.assert(
    fc.property(day, (on) => {
      const monday = weekStart(on);
      expect(weekday(monday)).toBe(1);
      expect(daysBetween(monday, on)).toBe(weekday(on) - 1);
      for (let ahead = 0; ahead < 7; ahead += 1) expect(weekStart(addDays(monday, ahead))).toBe(monday);
    }),
  );
});

test.each([
  ['2026-11-22', 7, '2026-11-16'],
  ['2026-11-23', 1, '2026-11-23'],
  ['2027-01-01', 5, '2026-12-28'],
  ['1969-12-29', 1, '1969-12-29'],
  ['1969-12-28', 7, '1969-12-22'],
])('%s is day %i of the week of %s', (on, number, monday) => {
  expect([weekday(isoDate(on)), weekStart(isoDate(on))]).toEqual([number, monday]);
});

test('adding days and counting them are opposites, across daylight saving and leap years', () => {
  fc.assert(
    fc.property(day, fc.integer({ min: -4000, max: 4000 }), (on, days) => {
      expect(daysBetween(on, addDays(on, days))).toBe(days);
      expect(addDays(addDays(on, days), -days)).toBe(on);
    }),
  );
});

test('later days compare as later text', () => {
  fc.assert(
    fc.property(day, fc.integer({ min: 1, max: 4000 }), (on, days) => {
      expect(addDays(on, days) > on).toBe(true);
    }),
  );
});

test('months and years begin on their first day', () => {
  expect([monthStart(isoDate('2026-11-25')), yearStart(isoDate('2026-11-25'))]).toEqual(['2026-11-01', '2026-01-01']);
});

test('days and months are shown as the screens want them', () => {
  expect(monthYear('2026-11')).toBe('Nov-26');
  expect(monthYear('2005-01-31')).toBe('Jan-05');
  expect(historyDate(isoDate('2026-11-03'))).toBe('3-Nov-26');
  expect(historyDate(isoDate('2026-12-31'))).toBe('31-Dec-26');
  expect(shortDay(isoDate('2026-11-25'))).toBe('Wed 25 Nov');
  expect(shortDay(isoDate('2026-11-01'))).toBe('Sun 1 Nov');
});

test('an instant reads as a clock in Sydney showed it, also either side of daylight saving', () => {
  expect(longDay(isoDate('2026-11-05'))).toBe('Thu 5 Nov 2026');
  expect(sydneyDateTime(new Date('2026-11-24T19:00:02.987Z'))).toBe('Wed 25 Nov 2026 06:00:02');
  expect(sydneyDateTime(new Date('2026-07-01T13:59:59Z'))).toBe('Wed 1 Jul 2026 23:59:59');
  expect(sydneyClockTime(new Date('2026-11-24T13:00:00Z'))).toBe('2026-11-25 00:00:00');
});

test('a day without marks and its number in a spreadsheet are the day', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 6168 }), (count) => {
      const written = addDays(isoDate('2020-01-01'), count);
      expect(inIsoOrder(written.replaceAll('-', ''))).toBe(written);
      expect(inIsoOrder(String(43_831 + count))).toBe(written);
    }),
  );
});

test.each(['41126', '43830', '50000', '46350.', '2026112', '20261324', '46350 10:31:00Z'])(
  '%s stays as it is',
  (text) => expect(inIsoOrder(text)).toBe(text),
);

test.each([
  ['2026-11-23T13:00:00Z', '2026-11-24'],
  ['2026-11-24 12:59:59 UTC', '2026-11-24'],
  ['2026-11-24T00:30:00+1100', '2026-11-24'],
  ['2026-11-24T10:31', '2026-11-24'],
])('the day of %s in Sydney is %s', (written, expected) => expect(inIsoOrder(written)).toBe(expected));
