import fc from 'fast-check';
import { expect, test } from 'vitest';
import { afterReturn, type ReturnCode } from './returned-debit.ts';

const nothing = { accountUnusable: false, pauseSupporter: false, suspendRuns: false };

test('code 6 leads to nothing the first time, and to a pause the second time in a row', () => {
  expect(afterReturn(6, false)).toEqual(nothing);
  expect(afterReturn(6, true)).toEqual({ ...nothing, pauseSupporter: true });
});

test.each<ReturnCode>([1, 2, 3, 4, 5, 7, 9])('code %i makes the account unusable, the first time and later', (code) => {
  expect(afterReturn(code, false)).toEqual({ ...nothing, accountUnusable: true });
  expect(afterReturn(code, true)).toEqual({ ...nothing, accountUnusable: true });
});

test('code 8 suspends the runs and is not the fault of the account', () => {
  expect(afterReturn(8, false)).toEqual({ ...nothing, suspendRuns: true });
  expect(afterReturn(8, true)).toEqual({ ...nothing, suspendRuns: true });
});

test('a return leads to one thing at most, and to none only when the bank may simply be asked once more', () => {
  const code = fc.integer({ min: 1, max: 9 }) as fc.Arbitrary<ReturnCode>;
  fc.assert(
    fc.property(code, fc.boolean(), (code, isSecondInARow) => {
      const consequences = Object.values(afterReturn(code, isSecondInARow)).filter(Boolean).length;
      expect(consequences).toBe(code === 6 && !isSecondInARow ? 0 : 1);
    }),
  );
});
