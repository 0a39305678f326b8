import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, isoDate } from './days.ts';
import { inTurnOfDay } from './turn-of-day.ts';

const day = fc.nat(20_000).map((days) => addDays(isoDate('2026-01-01'), days));

test('everybody is listed once on each day', () =>
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat()), day, (list, day) => {
      expect(inTurnOfDay(list, day).toSorted()).toEqual(list.toSorted());
    }),
  ));

test('over a day for each supporter each is first once, and a day repeats its order', () =>
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), day, (length, day) => {
      const list = Array.from({ length }, (_, index) => index);
      const first = list.map((later) => inTurnOfDay(list, addDays(day, later))[0]);
      expect(new Set(first).size).toBe(length);
      expect(inTurnOfDay(list, day)).toEqual(inTurnOfDay(list, day));
    }),
  ));
