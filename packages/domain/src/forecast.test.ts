import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aboutAmount, forecast, type WeekGiven } from './forecast.ts';
import { cents } from './money.ts';

const week = (given: number, takenBack = 0): WeekGiven => ({ given: cents(given), takenBack: cents(takenBack) });
const aWeek = fc.tuple(fc.nat(1_000_000), fc.nat(50_000)).map(([given, takenBack]) => week(given, takenBack));
const weeks = fc.array(aWeek, { minLength: 4, maxLength: 12 });
const ceiling = fc.option(fc.nat(500_000).map(cents), { nil: undefined });

test('four like weeks give four more of them, and no range', () => {
  const all = [week(1_000), week(1_100, 100), week(1_000), week(1_000)];
  expect(forecast(all, undefined)).toEqual({ low: 4_000, expected: 4_000, high: 4_000 });
});

test('the more weeks differ, the wider the range', () => {
  const all = [900, 1_100, 900, 1_100].map((given) => week(given));
  expect(forecast(all, undefined)).toEqual({ low: 3_704, expected: 4_000, high: 4_296 });
});

test('three weeks are too few', () => expect(forecast([week(1), week(2), week(3)], undefined)).toBeUndefined());

test('the range holds the forecast, is never below nothing and never above all limits', () =>
  fc.assert(
    fc.property(weeks, ceiling, (all, limit) => {
      const { low, expected, high } = forecast(all, limit) ?? {};
      expect([0, low, expected, high].map(Number)).toEqual(
        [0, low, expected, high].map(Number).toSorted((a, b) => a - b),
      );
      if (limit !== undefined) expect(high).toBeLessThanOrEqual(limit * 4);
    }),
  ));

test('the order of the weeks does not matter, and a club of twice the size has twice the forecast', () =>
  fc.assert(
    fc.property(weeks, (all) => {
      const once = forecast(all, undefined);
      const twice = forecast(
        all.toReversed().map(({ given, takenBack }) => week(given * 2, takenBack * 2)),
        undefined,
      );
      for (const part of ['low', 'expected', 'high'] as const)
        expect(Math.abs((twice?.[part] ?? 0) - 2 * (once?.[part] ?? 0))).toBeLessThanOrEqual(2);
    }),
  ));

test('what banks take back is not there to come again', () =>
  fc.assert(
    fc.property(weeks, (all) => {
      const kept = all.map(({ given }) => week(given));
      expect(forecast(all, undefined)?.expected).toBeLessThanOrEqual(forecast(kept, undefined)?.expected ?? 0);
    }),
  ));

test.each([
  [40_123, '$400'],
  [123_456, '$1,230'],
  [2_000, '$20'],
  [1_650, '$17'],
  [0, '$0'],
])('%i cents are about %s', (amount, words) => expect(aboutAmount(cents(amount))).toBe(words));
