import fc from 'fast-check';
import { expect, test } from 'vitest';
import { breakerRule, breakerState, circuitBreaker, consecutiveFailures, type FailedCall } from './circuit-breaker.ts';

const after = (answers: boolean[]) => {
  const breaker = circuitBreaker();
  for (const isInconclusive of answers) breaker.record(isInconclusive);
  return breaker;
};
const bad = (count: number) => Array.from({ length: count }, () => true);
const good = (count: number) => Array.from({ length: count }, () => false);

test.each([
  ['four at the start', bad(4), false],
  ['all of the first five', bad(5), true],
  ['seven of the last ten', [...good(3), ...bad(7)], false],
  ['eight of the last ten', [...good(2), ...bad(8)], true],
  ['eight of twenty', [...bad(4), ...good(6), ...bad(4), ...good(6)], false],
])('%s', (_name, answers, isOpen) => expect(after(answers).isOpen).toBe(isOpen));

test('it stays open, even when later calls succeed', () => expect(after([...bad(5), ...good(20)]).isOpen).toBe(true));

test('it stays closed while fewer than one in ten is inconclusive and no eight of them are neighbours', () =>
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 300 }), (tens) => {
      const answers = tens.flatMap((place) => Array.from({ length: 10 }, (_, at) => at === place));
      expect(after(answers).isOpen).toBe(false);
    }),
  ));

test('it opens whenever nothing is answered any more, after ten calls at the latest', () =>
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 100 }), (before) => {
      expect(after([...before, ...bad(breakerRule.ofLast)]).isOpen).toBe(true);
    }),
  ));

const now = new Date('2026-11-24T17:00:00Z');
test.each([
  ['no provider is left alone', undefined, 'closed'],
  ['its pause lasts', new Date(now.getTime() + 1), 'open'],
  ['its pause is over', now, 'half_open'],
])('a breaker while %s is %s', (_name, openUntil, state) =>
  expect(breakerState(openUntil && { openUntil }, now)).toBe(state),
);

const failed = (overrides: Partial<FailedCall> = {}): FailedCall => ({
  isBusy: false,
  hasFailedBefore: false,
  ...overrides,
});

test.each([
  ['twenty calls without an answer', 'closed', {}, 20],
  ['three calls while it is busy', 'closed', { isBusy: true }, 3],
  ['the first call that tests it', 'half_open', {}, 1],
  ['three that test it for those who failed before', 'half_open', { hasFailedBefore: true }, 3],
] as const)('a provider is unavailable after %s', (_name, state, call, calls) => {
  const failures = consecutiveFailures();
  const after = Array.from({ length: calls }, () => failures.isUnavailableAfter(state, failed(call)));
  expect(after.indexOf(true)).toBe(calls - 1);
});

test('an answer starts the count again, and those who failed before are not counted', () => {
  const failures = consecutiveFailures();
  const fail = (count: number, call: Partial<FailedCall> = {}) =>
    Array.from({ length: count }, () => failures.isUnavailableAfter('closed', failed(call))).includes(true);
  expect(fail(19)).toBe(false);
  expect(fail(100, { hasFailedBefore: true })).toBe(false);
  failures.reset();
  expect(fail(19)).toBe(false);
  expect(fail(1)).toBe(true);
});
