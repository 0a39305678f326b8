import { expect, test } from 'vitest';
import { payoutChange } from './apply-payout-outcome.ts';

test.each([
  ['submitted', 'pending', 'nothing'],
  ['submitted', 'cleared', 'cleared'],
  ['submitted', 'returned', 'returned'],
  ['cleared', 'cleared', 'nothing'],
  ['cleared', 'returned', 'reversed'],
  ['returned', 'cleared', 'nothing'],
  ['returned', 'returned', 'nothing'],
  ['reversed', 'returned', 'nothing'],
  ['refused', 'cleared', 'nothing'],
  ['planned', 'cleared', 'nothing'],
  ['submitting', 'returned', 'nothing'],
] as const)('a %s payout reported as %s changes to: %s', (state, news, change) =>
  expect(payoutChange(state, news)).toBe(change),
);
