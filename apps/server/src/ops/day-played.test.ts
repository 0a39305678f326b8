import { isoDate } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { dayPlayed } from './day-played.ts';

test('a day is one line, with the figures of the tasks that had something to do', () => {
  const tasks = [
    { task: 'audit', result: undefined },
    { task: 'sync', result: { transactions: 0, roundUps: 0 } },
    { task: 'debit-run', result: { planned: 2, totalCents: 140, skipped: {} } },
    { task: 'remit', result: { clubs: 10 } },
  ];
  expect(dayPlayed(isoDate('2026-11-25'), tasks)).toBe(
    '2026-11-25: 4 tasks; debit-run {"planned":2,"totalCents":140,"skipped":{}}; remit {"clubs":10}',
  );
  expect(dayPlayed(isoDate('2026-11-26'), tasks.slice(0, 1))).toBe('2026-11-26: 1 task');
});
