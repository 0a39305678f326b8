import { isoDate } from '@sparechange/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { statementExports, type TrueLine } from '#testing/statement-exports.ts';
import { parseStatement } from './parse-statement.ts';

const firstDay = Date.UTC(2026, 11, 28);
const line = fc.record({
  bookedOn: fc
    .integer({ min: 0, max: 9 })
    .map((day) => isoDate(new Date(firstDay + day * 86_400_000).toISOString().slice(0, 10))),
  cents: fc.integer({ min: -500_000, max: 500_000 }).filter(Boolean),
  words: fc.stringMatching(/^[A-Z]{3,8}( [A-Z0-9]{1,6}){0,3}$/),
});
const account = fc.record({
  openingCents: fc.integer({ min: -100_000, max: 10_000_000 }),
  lines: fc
    .array(line, { minLength: 1, maxLength: 12 })
    .map((lines) => lines.toSorted((one, other) => one.bookedOn.localeCompare(other.bookedOn))),
});

const inOneOrder = (lines: readonly Pick<TrueLine, 'bookedOn' | 'cents'>[], wordsOf: (at: number) => string) =>
  lines.map(({ bookedOn, cents }, at) => `${bookedOn} ${cents} ${wordsOf(at)}`).toSorted();

test.each(Object.entries(statementExports))('%s: any account is read to the cent over New Year', (_bank, write) => {
  fc.assert(
    fc.property(account, (truth) => {
      const { lines, openingCents, closingCents, unproven } = parseStatement(write(truth));
      expect(inOneOrder(lines, (at) => lines[at]?.text ?? '')).toEqual(
        inOneOrder(truth.lines, (at) => truth.lines[at]?.words ?? ''),
      );
      expect(unproven).toBeUndefined();
      const sum = truth.lines.reduce((moved, { cents }) => moved + cents, 0);
      if (openingCents !== undefined && closingCents !== undefined) expect(closingCents - openingCents).toBe(sum);
    }),
  );
});

/** Formats whose every movement stands between two stated balances, with the form of a movement. */
const balanced: [string, RegExp][] = [
  ['camt.053', /<Ntry>.*?<\/Ntry>/g],
  ['MT940', /:61:.*\r\n:86:.*\r\n/g],
  ['BAI2', /^16,.*\r\n/gm],
];

test.each(balanced)('%s: a file that lost a movement, or all after it, is refused', (format, movement) => {
  fc.assert(
    fc.property(account, fc.nat(), (truth, place) => {
      const whole = statementExports[format]?.(truth) ?? '';
      const lost = [...whole.matchAll(movement)][place % truth.lines.length];
      const rest = whole.slice(0, lost?.index) + whole.slice((lost?.index ?? 0) + (lost?.[0].length ?? 0));
      expect(() => parseStatement(rest)).toThrow();
      expect(() => parseStatement(whole.slice(0, (lost?.index ?? 0) + (lost?.[0].length ?? 0)))).toThrow();
    }),
  );
});

test('a row that was cut off within its amount, before its balance, is refused', () => {
  const bookedOn = isoDate('2026-12-30');
  const lines = [1, 2, 3].map(() => ({ bookedOn, cents: 1250, words: 'CLUB PAYOUT' }));
  const whole = statementExports.ING?.({ openingCents: 100_000, lines }) ?? '';
  const amount = whole.lastIndexOf(',12.50') + 1;
  for (const length of [1, 2, 4])
    expect(() => parseStatement(whole.slice(0, amount + length))).toThrow('ends before its balance');
});
