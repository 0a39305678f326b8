import { cents, isoDate } from '@sparechange/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { balancesOf, writeDay } from './entries-of-day.ts';
import { parseStatement } from './parse-statement.ts';

const day = isoDate('2026-12-09');
const moved = fc.integer({ min: -99_999, max: 99_999 }).filter((amount) => amount !== 0);

/** Entries of one second each or several, shuffled: the provider promises no sequence within a second. */
const entriesOf = (opening: number, amounts: readonly number[], places: readonly number[]) => {
  let balance = opening;
  const entries = amounts.map((amount, place) => {
    balance += amount;
    return {
      id: `FE${place}`,
      at: new Date(Date.UTC(2026, 11, 9, 1, 0, Math.floor(place / 3))),
      amount: cents(amount),
      balanceAfter: cents(balance),
      description: `CT.${place}`,
    };
  });
  return {
    closing: balance,
    entries: entries.toSorted(
      (one, other) => (places[entries.indexOf(one)] ?? 0) - (places[entries.indexOf(other)] ?? 0),
    ),
  };
};

const days = fc.record({
  opening: fc.integer({ min: -100_000, max: 1_000_000 }),
  amounts: fc.array(moved, { minLength: 1, maxLength: 12 }),
  places: fc.array(fc.nat(), { minLength: 12, maxLength: 12 }),
});

test('the balances of a day do not depend on the sequence of its entries', () => {
  fc.assert(
    fc.property(days, ({ opening, amounts, places }) => {
      const { entries, closing } = entriesOf(opening, amounts, places);
      expect(balancesOf(entries)).toEqual({ openingCents: opening, closingCents: closing });
    }),
  );
});

test('a day of collections without one of its inner entries is refused', () => {
  fc.assert(
    fc.property(days, fc.nat(), ({ opening, amounts, places }, pick) => {
      fc.pre(amounts.length > 2 && amounts.every((amount) => amount > 0));
      const { entries } = entriesOf(opening, amounts, places);
      const inner = `FE${1 + (pick % (amounts.length - 2))}`;
      expect(() => balancesOf(entries.filter(({ id }) => id !== inner))).toThrow('An entry is missing');
    }),
  );
});

test('the importer reads a written day to the cent', () => {
  fc.assert(
    fc.property(days, ({ opening, amounts, places }) => {
      const { entries, closing } = entriesOf(opening, amounts, places);
      const account = { name: 'Float Account', number: '8029191748212' };
      const content = writeDay(account, day, entries, new Date());
      const read = parseStatement(content);
      expect(read).toMatchObject({ account: account.number, openingCents: opening, closingCents: closing });
      expect(read.lines.map(({ id, bookedOn, cents: amount }) => [id, bookedOn, amount])).toEqual(
        entries.map(({ id, amount }) => [id, day, amount]),
      );
    }),
  );
});
