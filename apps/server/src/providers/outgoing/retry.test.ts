import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultRetryPolicy, isPassingStatus, parseRetryAfter, type RetryPolicy, waitBeforeRetry } from './retry.ts';

const policy: RetryPolicy = {
  maxTries: 4,
  firstMs: 100,
  factor: 2,
  longestMs: 250,
  givenUpAfterMs: 10_000,
  maxRetryAfterMs: 5_000,
};
const after = (tries: number, retryAfterMs?: number, elapsedMs = 0) => ({ tries, elapsedMs, retryAfterMs });

test('each wait may be twice the one before, up to the longest', () => {
  expect([1, 2, 3].map((tries) => waitBeforeRetry(policy, after(tries), () => 1))).toEqual([100, 200, 250]);
});

test('it ends after the last try', () => expect(waitBeforeRetry(policy, after(4), () => 0)).toBeUndefined());

test('it ends when there is no time left', () => {
  expect(waitBeforeRetry(policy, after(1, undefined, 9_950), () => 1)).toBeUndefined();
});

test('what the provider asks for is waited at least, and not at all when it is too long', () => {
  expect(waitBeforeRetry(policy, after(1, 2_000), () => 0)).toBe(2_000);
  expect(waitBeforeRetry(policy, after(1, 2_000), () => 1)).toBe(2_100);
  expect(waitBeforeRetry(policy, after(1, 5_001), () => 0)).toBeUndefined();
});

test('a wait is never shorter than asked for nor longer than that and the longest', () =>
  fc.assert(
    fc.property(fc.nat(5), fc.nat(4_000), fc.double({ min: 0, max: 1, noNaN: true }), (tries, retryAfterMs, chance) => {
      const wait = waitBeforeRetry(defaultRetryPolicy, after(tries + 1, retryAfterMs), () => chance);
      if (wait === undefined) return tries + 1 >= defaultRetryPolicy.maxTries;
      return wait >= retryAfterMs && wait <= retryAfterMs + defaultRetryPolicy.longestMs;
    }),
  ));

const now = Date.parse('2026-11-18T01:00:00Z');
test.each([
  ['3', 3_000],
  [' 0 ', 0],
  ['Wed, 18 Nov 2026 01:00:07 GMT', 7_000],
  ['Wed, 18 Nov 2026 00:59:00 GMT', 0],
  ['soon', undefined],
  ['', undefined],
  [null, undefined],
])('Retry-After %j is %j ms', (header, ms) => expect(parseRetryAfter(header, now)).toBe(ms));

test('a refusal is not a passing failure', () => {
  expect([400, 401, 403, 404, 409, 422, 500].filter(isPassingStatus)).toEqual([]);
  expect([429, 502, 503, 504].filter(isPassingStatus)).toEqual([429, 502, 503, 504]);
});
