import { expect, test } from 'vitest';
import { violationsOf } from './verdict.ts';

const found = { day: '2026-11-23', what: 'a cent is missing' };

test('a run without a debit is a violation from 15 days on', () => {
  expect(violationsOf({ days: 15, debits: 0, violations: [] })).toMatchObject([
    { what: expect.stringContaining('without a debit') },
  ]);
  expect(violationsOf({ days: 14, debits: 0, violations: [] })).toEqual([]);
  expect(violationsOf({ days: 15, debits: 1, violations: [] })).toEqual([]);
});

test('what was found before is said alone', () =>
  expect(violationsOf({ days: 20, debits: 0, violations: [found] })).toEqual([found]));
