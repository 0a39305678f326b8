import fc from 'fast-check';
import { expect, test } from 'vitest';
import { afterInconclusive, parkAfterMs, pauseBeforeAttemptMs, type Unanswered } from './resubmission.ts';

const now = new Date('2026-11-23T06:00:00Z');
const minutes = (attempts: number) => pauseBeforeAttemptMs(attempts) / 60_000;

test('the pauses grow from none to an hour', () =>
  expect([1, 2, 3, 4, 5, 6, 7, 8, 9, 100].map(minutes)).toEqual([0, 1, 2, 4, 8, 16, 32, 60, 60, 60]));

test('the first inconclusive answer begins the day after which it is parked', () =>
  expect(afterInconclusive({ attempts: 0, unknownSince: null }, now)).toEqual({
    attempts: 1,
    unknownSince: now,
    nextAttemptAt: now,
    parkedAt: null,
  }));

test.each([
  ['a millisecond less than a day', parkAfterMs - 1, null],
  ['a day', parkAfterMs, now],
  ['a week', 7 * parkAfterMs, now],
])('unknown for %s', (_name, ms, parkedAt) => {
  const unknownSince = new Date(now.getTime() - ms);
  expect(afterInconclusive({ attempts: 9, unknownSince }, now)).toMatchObject({ unknownSince, parkedAt });
});

test('a product that was stopped for a week asks some times more before it parks anything', () => {
  const unknownSince = new Date(now.getTime() - 7 * parkAfterMs);
  const parked = [1, 2, 3, 4].map((attempts) => afterInconclusive({ attempts, unknownSince }, now).parkedAt);
  expect(parked).toEqual([null, null, null, now]);
});

test('asked for as often as it is due, a payment is parked after a day and some 30 attempts', () => {
  let payment: Unanswered = { attempts: 0, unknownSince: null };
  let at = now;
  for (;;) {
    const next = afterInconclusive(payment, at);
    if (next.parkedAt) break;
    payment = next;
    at = next.nextAttemptAt;
  }
  expect(at.getTime() - now.getTime()).toBeLessThanOrEqual(parkAfterMs + 3_600_000);
  expect(payment.attempts).toBeGreaterThan(20);
  expect(payment.attempts).toBeLessThan(40);
});

test('the next attempt never lies before now and never more than an hour away', () =>
  fc.assert(
    fc.property(fc.nat(1000), fc.nat(200_000_000), (attempts, ago) => {
      const { nextAttemptAt } = afterInconclusive({ attempts, unknownSince: new Date(now.getTime() - ago) }, now);
      const pause = nextAttemptAt.getTime() - now.getTime();
      expect(pause >= 0 && pause <= 3_600_000).toBe(true);
    }),
  ));
