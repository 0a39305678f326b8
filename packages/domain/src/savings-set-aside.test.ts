import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cents } from './money.ts';
import { addToSetAside, type SetAside, takeFromSetAside } from './savings-set-aside.ts';

const setAside = (payable: number, recoverable: number): SetAside => ({
  payable: cents(payable),
  recoverable: cents(recoverable),
});

test('half of a cleared debit is set aside', () =>
  expect(addToSetAside(setAside(100, 0), cents(72))).toEqual(setAside(172, 0)));

test('a debit taken back before its half was deposited leaves no trace', () =>
  expect(takeFromSetAside(setAside(172, 0), cents(72))).toEqual(setAside(100, 0)));

test('a debit taken back after its half was deposited is recovered from the next halves', () => {
  const after = takeFromSetAside(setAside(20, 0), cents(72));
  expect(after).toEqual(setAside(0, 52));
  expect(addToSetAside(after, cents(50))).toEqual(setAside(0, 2));
  expect(addToSetAside(setAside(0, 2), cents(50))).toEqual(setAside(48, 0));
});

const amount = fc.integer({ min: 1, max: 100_00 }).map(cents);
const moves = fc.array(fc.tuple(fc.boolean(), amount), { maxLength: 30 });

test('after any movements, neither side is below zero, the two are never owed together, and no cent is lost', () =>
  fc.assert(
    fc.property(moves, (moves) => {
      let now = setAside(0, 0);
      let net = 0;
      for (const [comes, cents] of moves) {
        now = comes ? addToSetAside(now, cents) : takeFromSetAside(now, cents);
        net += comes ? cents : -cents;
        expect(now.payable >= 0 && now.recoverable >= 0).toBe(true);
        expect(Math.min(now.payable, now.recoverable)).toBe(0);
        expect(now.payable - now.recoverable).toBe(net);
      }
    }),
  ));
