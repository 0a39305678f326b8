import { expect, test } from 'vitest';
import { isoDate } from './days.ts';
import { retryPayoutOn } from './failed-payout.ts';

const friday = isoDate('2026-11-27');

test.each([
  [0, '2026-11-30'],
  [1, '2026-12-01'],
  [2, '2026-12-03'],
  [7, '2026-12-03'],
])('after %i failures before it, one of Friday is paid again on %s', (failuresBefore, day) => {
  expect(retryPayoutOn(6, failuresBefore, friday)).toBe(day);
});

test('a holiday is no banking day to pay again on', () =>
  expect(retryPayoutOn('refused', 0, isoDate('2026-12-24'))).toBe('2026-12-29'));

test.each([2, 6, 8, 'refused'] as const)('what %s names may pass', (failure) =>
  expect(retryPayoutOn(failure, 0, friday)).toBeDefined(),
);

test.each([1, 3, 4, 5, 7, 9, 'account_invalid'] as const)('what %s names waits for new bank details', (failure) =>
  expect(retryPayoutOn(failure, 0, friday)).toBeUndefined(),
);
