import { addDays, cents, isoDate } from '@sparechange/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCsvStatement } from './parse-csv.ts';

const head = 'date,amount,description,balance';
const read = (...rows: string[]) => parseCsvStatement([head, ...rows].join('\n'));

test("one row shows the account's balance before and after it", () => {
  expect(read('2026-11-20,5.00,A,62.00')).toMatchObject({
    openingCents: 5700,
    closingCents: 6200,
    hasRunningBalance: true,
  });
});

test('a balance that does not follow from the rows names the line, the missing amount and the remedy', () => {
  const { unproven } = read('2026-11-19,7.00,A,57.00', '2026-11-20,1.00,B,65.00', '2026-11-20,1.00,C,66.00');
  expect(unproven).toMatchObject({ cents: 700, missingCents: 700 });
  expect(unproven?.words).toContain(
    'line 3: the balance of $65.00 is $7.00 more than that of line 2 and the amounts since come to.',
  );
  expect(unproven?.words).toContain('export whole days again');
  const newestFirst = read('2026-11-20,1.00,C,66.00', '2026-11-20,1.00,B,65.00', '2026-11-19,7.00,A,57.00');
  expect(newestFirst).toMatchObject({ openingCents: 5000, closingCents: 6600, unproven: { cents: 700 } });
  expect(newestFirst.unproven?.words).toContain('line 3: the balance of $65.00 is $7.00 more than that of line 4');
});

test('two missing rows that cancel each other out are detected, each at its place', () => {
  const { unproven } = read('2026-11-19,1.00,A,1.00', '2026-11-20,1.00,B,12.00', '2026-11-21,1.00,C,3.00');
  expect(unproven).toMatchObject({ cents: 2_000, missingCents: 0 });
  expect(unproven?.words).toContain('So it is with 1 more line.');
});

test('rows without a balance count towards the next that has one; those after the last are in doubt', () => {
  const daily = ['2026-11-19,1.00,A,', '2026-11-19,2.00,B,53.00', '2026-11-20,-4.00,C,', '2026-11-20,1.00,D,50.00'];
  expect(read(...daily)).toMatchObject({ openingCents: 5000, closingCents: 5000, lines: { length: 4 } });
  expect(read(...daily).unproven).toBeUndefined();
  expect(read(...daily.toReversed())).toEqual({ ...read(...daily), lines: read(...daily.toReversed()).lines });
  const { unproven, closingCents } = read(...daily, '2026-11-21,-3.00,E,', '2026-11-21,4.00,F,');
  expect([unproven?.cents, unproven?.missingCents, closingCents]).toEqual([700, 0, 5100]);
  expect(unproven?.words).toContain('line 6: no balance comes after it, so it may be pending.');
  expect(read('2026-11-19,1.00,A,', '2026-11-19,2.00,B,')).not.toHaveProperty('hasRunningBalance');
});

test('a pending row at the newest end is in doubt, and the balances are those of its place', () => {
  const pending = ['2026-11-18,-12.50,CARD,', '2026-11-17,2000.00,SALARY,2000.00'];
  for (const rows of [pending, pending.toReversed()]) {
    expect(read(...rows)).toMatchObject({ openingCents: 0, closingCents: 198_750, unproven: { cents: 1250 } });
    expect(read(...rows).unproven?.words).toMatch(
      /^line \d: no balance comes after it, so it may be pending. Leave that line out until the bank has booked it.$/,
    );
  }
  expect(read('2026-11-18,5.00,A,7.00', '2026-11-17,2.00,B,')).toMatchObject({ openingCents: 0, closingCents: 700 });
});

test('a row without a balance at one end of a single day is in doubt, unless the known lines decide', () => {
  const { openingCents, closingCents, unproven, otherOrder } = read('2026-11-18,-12.50,A,', '2026-11-18,20.00,B,20.00');
  expect([openingCents, closingCents, unproven?.cents]).toEqual([0, 750, 1250]);
  expect(otherOrder).toEqual({ openingCents: 1250, closingCents: 2000, unproven: undefined });
});

test('days decide on the order even where a lost row fits the other one', () => {
  expect(read('2026-11-16,-5.00,A,0.00', '2026-11-17,10.00,B,5.00')).toMatchObject({
    openingCents: 500,
    closingCents: 500,
    unproven: { missingCents: -500 },
  });
});

test('rows of one day that fit either order are marked as such', () => {
  expect(read('2026-11-19,5.00,A,10.00', '2026-11-19,-5.00,B,5.00')).toMatchObject({
    openingCents: 500,
    closingCents: 500,
    otherOrder: { openingCents: 1000, closingCents: 1000 },
  });
  expect(read('2026-11-20,5.00,A,10.00', '2026-11-19,-5.00,B,5.00')).toMatchObject({
    openingCents: 1000,
    closingCents: 1000,
  });
});

test.each([
  ['12.50 CR', 1250],
  ['12.50CR', 1250],
  ['$1,012.50', 101_250],
  ['12.50 DR', -1250],
  ['-12.50 DR', -1250],
])('the balance %s is read', (written, closingCents) => {
  expect(read(`2026-11-19,1.00,A,"${written}"`)).toMatchObject({ closingCents });
});

test('a balance that is not an amount is refused with its line', () => {
  expect(() => read('2026-11-19,1.00,A,1.00', '2026-11-19,1.00,A,two')).toThrow(
    'line 3, balance: "two" is not an amount: write 12.50',
  );
});

const movements = fc.array(fc.record({ later: fc.nat({ max: 2 }), cents: fc.integer({ min: 1, max: 99_999 }) }), {
  minLength: 4,
  maxLength: 12,
});

test('a row missing between others is detected in either order, with balances on each row or some', () => {
  fc.assert(
    fc.property(movements, fc.nat(), fc.nat(), fc.boolean(), (made, at, empty, isNewestFirst) => {
      let [day, balance] = [isoDate('2026-11-02'), 0];
      const rows = made.map(({ later, cents: amount }, place) => {
        [day, balance] = [addDays(day, place === 0 ? 1 : later), balance + amount];
        return { day, amount, balance };
      });
      const missing = 1 + (at % (rows.length - 2));
      const csv = (left: typeof rows) => {
        const without = empty % (left.length - 1);
        const written = left.map((row, place) =>
          [row.day, row.amount / 100, 'X', place === without ? '' : (row.balance / 100).toFixed(2)].join(','),
        );
        return read(...(isNewestFirst ? written.toReversed() : written));
      };
      expect(csv(rows)).toMatchObject({ openingCents: 0, closingCents: balance });
      expect(csv(rows)).not.toHaveProperty('unproven');
      const unproven = csv(rows.toSpliced(missing, 1)).unproven;
      const isAtTheStart = missing === 1 && empty % (rows.length - 2) === 0; // then the first balance is after it
      if (isAtTheStart) expect(unproven).toBeUndefined();
      else expect(unproven?.cents).toBeGreaterThan(cents(0));
    }),
  );
});
