import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, isoDate } from './days.ts';
import { cents } from './money.ts';
import { deductibleCents, type GiftEntry, receiptNumber } from './receipt.ts';

const since = isoDate('2026-07-01');
const gift = (amount: number, changes: Partial<GiftEntry> = {}): GiftEntry => ({
  clubId: 'club',
  day: since,
  kind: 'round-ups',
  cents: cents(amount),
  givenOn: since,
  ...changes,
});

test.each([
  ['$2 to a deductible gift recipient', gift(200), since, 200],
  ['a cent less', gift(199), since, 0],
  ['a gift of the day before it became one', gift(500, { givenOn: isoDate('2026-06-30') }), since, 0],
  ['a gift to any other club', gift(500), null, 0],
  ['what was taken back of a deductible gift', gift(-500, { kind: 'taken back' }), since, -500],
  ['what was taken back of one that never was', gift(-199, { kind: 'taken back' }), since, 0],
])('%s', (_what, entry, recipientSince, deductible) => {
  expect(deductibleCents(entry, recipientSince)).toBe(deductible);
});

test('a gift that is taken back leaves nothing to deduct, whenever that is', () =>
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 250_00 }),
      fc.integer({ min: -400, max: 400 }),
      fc.nat(400),
      (amount, days, later) => {
        const givenOn = addDays(since, days);
        const back = gift(-amount, { kind: 'taken back', givenOn, day: addDays(givenOn, later) });
        expect(deductibleCents(gift(amount, { givenOn }), since) + deductibleCents(back, since)).toBe(0);
      },
    ),
  ));

test('numbers are read aloud in groups', () => {
  expect(receiptNumber('0b6c8f0e-4d1f-8a53-9b3e-2f7a51c9d604', 3)).toBe('1DP8Y-3JD3Y-0003');
});

test('two numbers are the same only for the same supporter and place', () =>
  fc.assert(
    fc.property(
      fc.uuid(),
      fc.uuid(),
      fc.integer({ min: 1, max: 99_999 }),
      fc.integer({ min: 1, max: 99_999 }),
      (one, other, n, m) => {
        fc.pre(one.slice(0, 12) !== other.slice(0, 12));
        expect(receiptNumber(one, n)).not.toBe(receiptNumber(other, m));
        expect(receiptNumber(one, n) === receiptNumber(one, m)).toBe(n === m);
      },
    ),
  ));
