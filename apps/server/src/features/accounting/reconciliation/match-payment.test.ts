import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchPayment } from './match-payment.ts';

test.each([
  ['submitted', 'pending', 'matched'],
  ['cleared', 'cleared', 'matched'],
  ['returned', 'returned', 'matched'],
  ['reversed', 'returned', 'matched'],
  ['reversed', 'cleared', 'matched'],
  ['submitting', 'pending', 'behind'],
  ['submitting', 'cleared', 'behind'],
  ['submitted', 'cleared', 'behind'],
  ['submitted', 'returned', 'behind'],
  ['cleared', 'returned', 'behind'],
  ['cleared', 'pending', 'outcome differs'],
  ['returned', 'cleared', 'outcome differs'],
  ['returned', 'pending', 'outcome differs'],
  ['refused', 'cleared', 'missing here'],
  ['planned', 'pending', 'missing here'],
  [undefined, 'cleared', 'missing here'],
  ['submitted', undefined, 'missing there'],
  ['cleared', undefined, 'missing there'],
  ['returned', undefined, 'missing there'],
  ['reversed', undefined, 'missing there'],
  ['planned', undefined, 'not sent'],
  ['submitting', undefined, 'not sent'],
  ['refused', undefined, 'not sent'],
  ['parked', undefined, 'parked'],
  ['parked', 'cleared', 'parked'],
] as const)('ours %s and theirs %s: %s', (ours, theirs, match) =>
  expect(matchPayment({ ours, theirs, isSameAmount: true, isReadAgain: true })).toBe(match),
);

test.each([
  ['cleared', 'returned', 'outcome differs'],
  ['submitted', 'returned', 'behind'],
  ['submitting', 'cleared', 'behind'],
  ['reversed', 'returned', 'matched'],
] as const)('ours %s and theirs %s, no longer polled: %s', (ours, theirs, match) =>
  expect(matchPayment({ ours, theirs, isSameAmount: true, isReadAgain: false })).toBe(match),
);

test('another amount never matches', () =>
  fc.assert(
    fc.property(
      fc.constantFrom('submitting', 'submitted', 'cleared', 'returned', 'reversed' as const),
      fc.constantFrom('pending', 'cleared', 'returned' as const),
      (ours, theirs) => {
        expect(matchPayment({ ours, theirs, isSameAmount: false, isReadAgain: true })).toBe('amount differs');
      },
    ),
  ));
