import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clubParts } from './club-parts.ts';
import { cents, noCents, total } from './money.ts';

const lines = (...amounts: number[]) => amounts.map(cents);

test('without savings and refunds every line counts in full', () => {
  expect(clubParts({ savingsCents: noCents, repaidCents: noCents }, lines(65, 35, 0))).toEqual([65, 35, 0]);
});

test('where half is set aside, the odd cent is given', () => {
  expect(clubParts({ savingsCents: cents(67), repaidCents: noCents }, lines(65, 70))).toEqual([33, 35]);
});

test('a refund takes off its part of each line, a whole one all of them', () => {
  expect(clubParts({ savingsCents: noCents, repaidCents: cents(20) }, lines(60, 40))).toEqual([48, 32]);
  expect(clubParts({ savingsCents: cents(50), repaidCents: cents(50) }, lines(65, 35))).toEqual([0, 0]);
});

test('the parts of the lines add up to what the club keeps, with refunds of purchases among them', () =>
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -499, max: 499 }).map(cents), { minLength: 1, maxLength: 40 }),
      fc.boolean(),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (parts, saves, share) => {
        const amount = total(parts);
        fc.pre(amount > 0);
        const savingsCents = cents(saves ? Math.floor(amount / 2) : 0);
        const repaidCents = cents(Math.floor((amount - savingsCents) * share));
        expect(total(clubParts({ savingsCents, repaidCents }, parts))).toBe(amount - savingsCents - repaidCents);
      },
    ),
  ));
