import { expect, test } from 'vitest';
import { addMonths } from '#world/days.ts';
import { banks } from './banks.ts';
import { crns, customerOf } from './customers.ts';
import { openingOf, statementMonth } from './statement.ts';

const people = ['12345678', '00000000', '87654321', '44444444', '31415926'].flatMap((crn) =>
  banks.map(({ id }) => customerOf(id, crn)),
);
const months = Array.from({ length: 24 }, (_, index) => addMonths('2024-11', index));

test('the same CRN at the same bank has the same accounts and the same past', () => {
  const one = JSON.stringify([
    customerOf('AU00000', '12345678'),
    [...statementMonth(customerOf('AU00000', '12345678'), '2026-03').booked],
  ]);
  // Enough other months push this one out of memory, so that it is worked out again.
  for (let month = 0; month < 700; month += 1)
    statementMonth(customerOf('AU00101', '55555555'), addMonths('1990-01', month));
  const again = JSON.stringify([
    customerOf('AU00000', '12345678'),
    [...statementMonth(customerOf('AU00000', '12345678'), '2026-03').booked],
  ]);
  expect(again).toBe(one);
});

test('balances add up from line to line and from month to month', () => {
  for (const customer of people) {
    for (const month of months) {
      const { booked, opening } = statementMonth(customer, month);
      for (const { position } of customer.accounts) {
        let balance = opening.get(position) ?? Number.NaN;
        for (const line of booked.get(position) ?? []) {
          balance += line.cents;
          expect(line.balanceCents).toBe(balance);
        }
        expect(balance).toBe(openingOf(customer, position, addMonths(month, 1)));
      }
    }
  }
});

test('lines are booked in order, within their month, in whole cents, under keys that do not repeat', () => {
  for (const customer of people) {
    const keys = new Set<string>();
    for (const month of months) {
      for (const lines of statementMonth(customer, month).booked.values()) {
        expect(lines.map(({ day }) => day)).toEqual(lines.map(({ day }) => day).toSorted());
        for (const line of lines) {
          expect(line.day.slice(0, 7)).toBe(month);
          expect(Number.isInteger(line.cents) && line.cents !== 0).toBe(true);
          expect(line.description.length).toBeGreaterThan(0);
          expect(keys.has(`${line.position} ${line.key}`)).toBe(false);
          keys.add(`${line.position} ${line.key}`);
        }
      }
    }
  }
});

test('money that leaves one account for another arrives there', () => {
  for (const customer of people) {
    for (const month of months) {
      const { booked } = statementMonth(customer, month);
      const sum = (keys: RegExp) =>
        [...booked.values()]
          .flat()
          .filter(({ key }) => keys.test(key))
          .reduce((total, { cents }) => total + cents, 0);
      expect(sum(/^(sweep|swept) /)).toBe(0);
      expect(sum(/^card /)).toBe(0);
    }
  }
});

test('some 25 to 45 card purchases a month, mostly small, some in whole dollars', () => {
  const purchases = people.flatMap((customer) => months.flatMap((month) => statementMonth(customer, month).pending));
  const amounts = purchases.map(({ cents }) => -cents).toSorted((one, other) => one - other);
  expect(purchases.length / (people.length * months.length)).toBeGreaterThan(24);
  expect(purchases.length / (people.length * months.length)).toBeLessThan(46);
  const median = amounts[Math.floor(amounts.length / 2)] ?? 0;
  expect(median).toBeGreaterThan(900);
  expect(median).toBeLessThan(3000);
  const whole = amounts.filter((cents) => cents % 100 === 0).length / amounts.length;
  expect(whole).toBeGreaterThan(0.08);
  expect(whole).toBeLessThan(0.25);
});

test('descriptions come in the shapes that real statements have', () => {
  const described = (institution: string) =>
    months.flatMap((month) =>
      statementMonth(customerOf(institution, '12345678'), month).pending.map(({ description }) => description),
    );
  const leading = described('AU00000');
  expect(leading.some((text) => /^VISA DEBIT PURCHASE CARD \d{4} \d\d\/\d\d \S/.test(text))).toBe(true);
  expect(leading.some((text) => /^MISCELLANEOUS DEBIT V\d{4} \d\d\/\d\d \S/.test(text))).toBe(true);
  expect(described('AU00101').some((text) => /Value Date: \d\d\/\d\d\/\d{4}$/.test(text))).toBe(true);
  expect(described('AU00202').some((text) => / \d\d\/\d\d$/.test(text))).toBe(true);
});

test('account numbers have 6 to 9 digits and belong to one customer only', () => {
  const seen = new Set<string>();
  for (let crn = 10_000_000; crn < 10_004_000; crn += 1) {
    for (const { id } of banks) {
      for (const { bsb, number } of customerOf(id, String(crn)).accounts) {
        if (bsb === '') continue;
        expect(`${bsb} ${number}`).toMatch(/^\d{6} \d{6,9}$/);
        expect(seen.has(bsb + number)).toBe(false);
        seen.add(bsb + number);
      }
    }
  }
});

test('the special CRNs: none has no accounts, empty has one with nothing in it', () => {
  expect(customerOf('AU00000', crns.withoutAccounts).accounts).toEqual([]);
  const empty = customerOf('AU00000', crns.empty);
  expect(empty.accounts.map(({ kind }) => kind)).toEqual(['transaction']);
  expect(statementMonth(empty, '2026-03').booked.get(0)).toEqual([]);
  expect(openingOf(empty, 0, '2026-03')).toBe(0);
});

test('who is paid back in full is paid back by the text and the amount of the purchase', () => {
  for (const customer of people) {
    const lines = months.flatMap((month) => [...statementMonth(customer, month).booked.values()].flat());
    const bought = new Set(lines.map(({ position, cents, description }) => `${position} ${cents} ${description}`));
    const refunds = lines.filter((line) => line.class === 'refund' && !line.description.startsWith('Refund Purchase'));
    expect(refunds.length).toBeGreaterThan(0);
    for (const { position, cents, description, day } of refunds) {
      if (day < '2024-12-15') continue; // of a purchase before the first of these months
      expect(bought).toContain(`${position} ${-cents} ${description.replace(/^Refund /, '')}`);
    }
  }
});
