import { expect, test } from 'vitest';
import { stateNames } from '../payments/payment-words.ts';
import { outcomeInWords } from './run-words.ts';

test.each(['reversed', 'deferred', 'returned'] as const)(
  'a debit that is %s has the same words under Runs and Payments',
  (state) => {
    expect(outcomeInWords({ state, returnCode: null, refusalCause: null })).toBe(stateNames[state]);
  },
);
