import fc from 'fast-check';
import { expect, test } from 'vitest';
import { balanceFloors, checkBalance, type GuardedDebit } from './low-balance.ts';
import { cents } from './money.ts';

const debit = (changes: Partial<GuardedDebit> = {}): GuardedDebit => ({
  floor: 50_00,
  amount: cents(3_42),
  balance: cents(50_00),
  wasUnread: false,
  ...changes,
});

test.each([
  [50_00, 'goes'],
  [49_99, 'below floor'],
  [3_42, 'below floor'],
  [3_41, 'below debit'],
  [-20_00, 'below debit'],
] as const)('with %i cents in the account a debit of $3.42 and a floor of $50: %s', (balance, verdict) =>
  expect(checkBalance(debit({ balance: cents(balance) }))).toBe(verdict),
);

test('a debit larger than the floor waits until the balance covers it', () =>
  expect(checkBalance(debit({ amount: cents(80_00), balance: cents(79_99) }))).toBe('below debit'));

const floor = fc.constantFrom(...balanceFloors);
const amount = fc.integer({ min: 1, max: 1_000_00 }).map(cents);
const balance = fc.option(fc.integer({ min: -1_000_00, max: 10_000_00 }).map(cents), { nil: undefined });

test('with a known balance, a debit goes only if the balance covers it and is at the floor or above', () =>
  fc.assert(
    fc.property(floor, amount, balance, fc.boolean(), (floor, amount, balance, wasUnread) => {
      if (floor === 0 || balance === undefined) return;
      const goes = checkBalance({ floor, amount, balance, wasUnread }) === 'goes';
      expect(goes).toBe(balance >= amount && balance >= floor);
    }),
  ));

test('without a floor every debit goes', () =>
  fc.assert(
    fc.property(amount, balance, fc.boolean(), (amount, balance, wasUnread) => {
      expect(checkBalance({ floor: 0, amount, balance, wasUnread })).toBe('goes');
    }),
  ));

test('with a bank that cannot be read every other debit goes: never two in a row unread, and none waits for ever', () =>
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 20 }), amount, (runs, amount) => {
      let wasUnread = false;
      const went = Array.from({ length: runs }, () => {
        const verdict = checkBalance({ floor: 50_00, amount, balance: undefined, wasUnread });
        wasUnread = verdict === 'not readable';
        return verdict === 'goes';
      });
      expect(went).toEqual(went.map((_goes, index) => index % 2 === 1));
    }),
  ));
