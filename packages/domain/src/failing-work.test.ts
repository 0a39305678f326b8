import { expect, test } from 'vitest';
import { afterFailedTry, type FailedTries } from './failing-work.ts';

const start = new Date('2026-11-24T17:00:00Z');

test('work that keeps failing is tried after 1, 2, 4 … 60 minutes, and parked after a day', () => {
  const pauses: number[] = [];
  let now = start;
  let failed: FailedTries = { tries: 0, failingSince: null };
  for (;;) {
    const next = afterFailedTry(failed, now);
    expect(next.failingSince).toEqual(start);
    if (!next.nextTryAt) {
      expect(next.parkedAt).toEqual(now);
      break;
    }
    pauses.push((next.nextTryAt.getTime() - now.getTime()) / 60_000);
    now = next.nextTryAt;
    failed = next;
  }
  expect(pauses.slice(0, 8)).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  expect(now.getTime() - start.getTime()).toBeGreaterThanOrEqual(86_400_000);
  expect(now.getTime() - start.getTime()).toBeLessThan(86_400_000 + 3_600_000);
});

test('parked work that fails with the next pass stays parked', () => {
  const failed = { tries: 40, failingSince: start };
  const now = new Date('2026-11-26T17:00:00Z');
  expect(afterFailedTry(failed, now)).toEqual({ tries: 41, failingSince: start, nextTryAt: null, parkedAt: now });
});

test('a worker that was stopped for days parks nothing at its first failure', () => {
  const failed = { tries: 1, failingSince: start };
  expect(afterFailedTry(failed, new Date('2026-11-28T17:00:00Z')).parkedAt).toBeNull();
});
