import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, isoDate } from './days.ts';
import { canPauseUntil } from './pause-until.ts';

const today = isoDate('2026-11-25');

test('from tomorrow on, for a year at most', () => {
  for (const day of ['2026-11-26', '2026-12-25', '2027-11-26']) expect(canPauseUntil(isoDate(day), today)).toBe(true);
  for (const day of ['2026-11-24', '2026-11-25', '2027-11-27']) expect(canPauseUntil(isoDate(day), today)).toBe(false);
});

test('a day later never helps one that is too late, nor a day earlier one that is too early', () =>
  fc.assert(
    fc.property(fc.integer({ min: -800, max: 800 }), (days) => {
      expect(canPauseUntil(addDays(today, days), today)).toBe(days > 0 && days < 367);
    }),
  ));
