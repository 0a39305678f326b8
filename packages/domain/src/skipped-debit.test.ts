import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isDebitDay, upcomingDebitDay } from './banking-calendar.ts';
import { addDays, isoDate, sydneyDay } from './days.ts';
import { canSkip, runThatDebits } from './skipped-debit.ts';

const wednesday = isoDate('2026-11-25');

test('the run of Wednesday can be skipped from Monday 06:00 until Wednesday 06:00', () => {
  expect(canSkip(wednesday, new Date('2026-11-22T18:59:59Z'))).toBe(false);
  expect(canSkip(wednesday, new Date('2026-11-22T19:00:00Z'))).toBe(true);
  expect(canSkip(wednesday, new Date('2026-11-24T18:59:59Z'))).toBe(true);
  expect(canSkip(wednesday, new Date('2026-11-24T19:00:00Z'))).toBe(false);
});

test('a debit skipped on the Wednesday before Christmas is taken on the Tuesday after Boxing Day', () => {
  expect(runThatDebits(isoDate('2026-12-23'), true)).toBe('2026-12-29');
  expect(runThatDebits(isoDate('2026-12-23'), false)).toBe('2026-12-23');
});

const moment = fc.date({ min: new Date('2020-01-01'), max: new Date('2045-01-01'), noInvalidDate: true });

test('at any moment exactly one of the next ten days can be skipped, and it is a debit day', () => {
  fc.assert(
    fc.property(moment, (now) => {
      const days = Array.from({ length: 10 }, (_, offset) => addDays(sydneyDay(now), offset));
      const skippable = days.filter((day) => canSkip(day, now));
      expect(skippable).toEqual([upcomingDebitDay(now)]);
      expect(skippable.every(isDebitDay)).toBe(true);
    }),
  );
});

test('a skip puts a debit off by one run only', () => {
  fc.assert(
    fc.property(moment, (now) => {
      const next = upcomingDebitDay(now);
      const put = runThatDebits(next, true);
      expect(put > next && isDebitDay(put)).toBe(true);
      for (let day = addDays(next, 1); day < put; day = addDays(day, 1)) expect(isDebitDay(day)).toBe(false);
    }),
  );
});
