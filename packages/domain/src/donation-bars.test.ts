import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isoDate, monthYear } from './days.ts';
import { donationBars, type MonthGiven, maxBars, parseMonthYear } from './donation-bars.ts';
import { cents } from './money.ts';

const monthOf = (number: number) =>
  isoDate(`${2000 + Math.floor(number / 12)}-${String((number % 12) + 1).padStart(2, '0')}-01`);
const month = fc.integer({ min: 0, max: 1199 }).map(monthOf);
const given = fc.uniqueArray(
  fc.record<MonthGiven>({
    month: fc.integer({ min: 300, max: 340 }).map(monthOf),
    cents: fc.integer({ min: 0, max: 1_000_00 }).map(cents),
  }),
  { selector: (each) => each.month },
);

test('a month without a gift between two others has an empty bar', () =>
  expect(
    donationBars([
      { month: isoDate('2026-11-01'), cents: cents(2000) },
      { month: isoDate('2026-09-01'), cents: cents(500) },
    ]),
  ).toEqual([
    { month: '2026-11-01', cents: 2000, share: 1 },
    { month: '2026-10-01', cents: 0, share: 0 },
    { month: '2026-09-01', cents: 500, share: 0.25 },
  ]));

test('nothing given has no bars', () => expect(donationBars([])).toEqual([]));

test('bars are the newest months, one after the other, with what was given, and as long as it is much', () =>
  fc.assert(
    fc.property(given, (months) => {
      const bars = donationBars(months);
      const newest = months
        .map((each) => each.month)
        .toSorted()
        .at(-1);
      expect(bars[0]?.month).toBe(newest);
      expect(bars.length).toBeLessThanOrEqual(maxBars);
      const shown = new Set(bars.map((bar) => bar.month));
      for (const each of months) {
        if (shown.has(each.month)) expect(bars).toContainEqual(expect.objectContaining(each));
        else expect(bars.length).toBe(maxBars);
      }
      for (const [place, bar] of bars.entries()) {
        expect(bar.share >= 0 && bar.share <= 1).toBe(true);
        const before = bars[place + 1];
        if (!before) continue;
        expect(before.month < bar.month).toBe(true);
        expect(bar.cents > before.cents).toBe(bar.share > before.share);
      }
      expect(new Set(bars.map((bar) => bar.month)).size).toBe(bars.length);
    }),
  ));

test('a month is read back as it was written, and nothing else is', () => {
  fc.assert(
    fc.property(month, (day) => {
      expect(parseMonthYear(monthYear(day))).toBe(day);
    }),
  );
  for (const text of ['', 'Nov', 'Nov-2026', 'Now-26', '-26']) expect(parseMonthYear(text)).toBeUndefined();
});
