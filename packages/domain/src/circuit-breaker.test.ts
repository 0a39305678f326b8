import fc from 'fast-check';
import { expect, test } from 'vitest';
import { breakerRule, circuitBreaker } from './circuit-breaker.ts';

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
