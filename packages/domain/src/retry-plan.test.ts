import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { afterFailedTry, type FailedTries, pauseAfter, pausesOf, type RetryPlan, retryPlans } from './retry-plan.ts';

const now = new Date('2026-11-23T06:00:00Z');
const minuteMs = 60_000;
const dayMs = 1_440 * minuteMs;

/** Fails each try when it is due; returns the pauses in minutes and those until it is parked. */
function failUntilParked(plan: RetryPlan) {
  const pauses: number[] = [];
  let failed: FailedTries = { tries: 0, failingSince: now };
  for (let at = now; ; ) {
    const next = afterFailedTry(plan, failed, at);
    expect(next.failingSince).toEqual(now);
    if (next.parkedAt) return { pauses, tries: next.tries, parkedAfterMs: at.getTime() - now.getTime() };
    pauses.push((next.nextTryAt.getTime() - at.getTime()) / minuteMs);
    at = next.nextTryAt;
    failed = next;
  }
}

describe('a payment', () => {
  const { payment } = retryPlans;
  const parkAfterMs = payment.givenUpAfterMs;

  test('is tried after pauses that grow from none to an hour', () => {
    const minutes = (tries: number) => pauseAfter(payment, tries) / minuteMs;
    expect([1, 2, 3, 4, 5, 6, 7, 8, 9, 100].map(minutes)).toEqual([0, 1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  test('begins the day after which it is parked with the first inconclusive answer', () =>
    expect(afterFailedTry(payment, { tries: 0, failingSince: null }, now)).toEqual({
      tries: 1,
      failingSince: now,
      nextTryAt: now,
      parkedAt: null,
    }));

  test.each([
    ['a millisecond less than a day', dayMs - 1, null],
    ['a day', dayMs, now],
    ['a week', 7 * dayMs, now],
  ])('is parked if unknown for %s', (_name, ms, parkedAt) => {
    const failingSince = new Date(now.getTime() - ms);
    expect(afterFailedTry(payment, { tries: 9, failingSince }, now)).toMatchObject({ failingSince, parkedAt });
  });

  test('is asked for some times more before it is parked by a product that was stopped for a week', () => {
    const failingSince = new Date(now.getTime() - 7 * parkAfterMs);
    const parked = [1, 2, 3, 4].map((tries) => afterFailedTry(payment, { tries, failingSince }, now).parkedAt);
    expect(parked).toEqual([null, null, null, now]);
  });

  test('is parked after a day and some 30 attempts if asked for as often as it is due', () => {
    const { tries, parkedAfterMs } = failUntilParked(payment);
    expect(parkedAfterMs).toBeGreaterThanOrEqual(parkAfterMs);
    expect(parkedAfterMs).toBeLessThanOrEqual(parkAfterMs + 60 * minuteMs);
    expect(tries - 1).toBeGreaterThan(20);
    expect(tries - 1).toBeLessThan(40);
  });

  test('is never tried before now nor more than an hour away', () =>
    fc.assert(
      fc.property(fc.nat(1000), fc.nat(200_000_000), (tries, ago) => {
        const failingSince = new Date(now.getTime() - ago);
        const pause = afterFailedTry(payment, { tries, failingSince }, now).nextTryAt.getTime() - now.getTime();
        expect(pause >= 0 && pause <= 3_600_000).toBe(true);
      }),
    ));
});

describe("a supporter's work", () => {
  const { supporterWork } = retryPlans;

  test('that keeps failing is tried after 1, 2, 4 … 60 minutes, and parked after a day', () => {
    const { pauses, parkedAfterMs } = failUntilParked(supporterWork);
    expect(pauses.slice(0, 8)).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    expect(parkedAfterMs).toBeGreaterThanOrEqual(dayMs);
    expect(parkedAfterMs).toBeLessThan(dayMs + 3_600_000);
  });

  test('that is parked and fails with the next pass stays parked', () => {
    const failed = { tries: 40, failingSince: new Date(now.getTime() - 2 * dayMs) };
    expect(afterFailedTry(supporterWork, failed, now)).toMatchObject({ ...failed, tries: 41, parkedAt: now });
  });

  test('is not parked at the first failure after days in which the worker was stopped', () => {
    const failed = { tries: 1, failingSince: new Date(now.getTime() - 4 * dayMs) };
    expect(afterFailedTry(supporterWork, failed, now).parkedAt).toBeNull();
  });
});

test('a mail is tried after as long as it has waited, up to an hour, until more than a week has passed', () => {
  const { pauses, parkedAfterMs } = failUntilParked(retryPlans.mail);
  expect(pauses.slice(0, 8)).toEqual([1, 1, 2, 4, 8, 16, 32, 60]);
  expect(parkedAfterMs).toBeGreaterThan(7 * dayMs);
  expect(parkedAfterMs).toBeLessThanOrEqual(7 * dayMs + 60 * minuteMs);
  const failingSince = new Date(now.getTime() - 7 * dayMs);
  expect(afterFailedTry(retryPlans.mail, { tries: 100, failingSince }, now).parkedAt).toBeNull();
});

test('a delivery is tried for three days, with pauses up to eight hours, the last time at their end', () => {
  const { pauses, parkedAfterMs } = failUntilParked(retryPlans.delivery);
  expect(pauses.slice(0, 11)).toEqual([1, 1, 2, 4, 8, 16, 32, 64, 128, 256, 480]);
  expect(parkedAfterMs).toBe(3 * dayMs);
});

test('the pauses that a statement chooses from end with the longest', () => {
  const minutes = (plan: RetryPlan) => pausesOf(plan).map((pause) => pause / minuteMs);
  expect(minutes(retryPlans.provider)).toEqual([0.5, 1, 2, 4, 8, 10]);
  expect(minutes(retryPlans.codeMail)).toEqual([0.5, 1, 2, 4, 8, 16, 32, 60]);
  expect(minutes(retryPlans.mailServer)).toEqual([1]);
  expect(minutes(retryPlans.payment).slice(0, 3)).toEqual([0, 1, 2]);
});

test('every plan has pauses that grow to the longest', () => {
  for (const plan of Object.values(retryPlans)) expect(pausesOf(plan).at(-1)).toBe(plan.longestMs);
});
