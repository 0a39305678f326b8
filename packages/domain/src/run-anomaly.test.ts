import fc from 'fast-check';
import { expect, test } from 'vitest';
import { add, cents } from './money.ts';
import { anomaliesOf, isCovered, median, type RunTotal, runAnomalyRule } from './run-anomaly.ts';

const runs = (count: number, debits: number, sum: number): RunTotal[] =>
  Array.from({ length: count }, () => ({ debits, cents: cents(sum) }));

test('ten times the usual sum, or number, is an anomaly, and the phrase says what is usual', () => {
  const earlier = runs(6, 300, 900_00);
  expect(anomaliesOf({ debits: 300, cents: cents(9_000_00) }, earlier)).toEqual([
    'it asks for $9,000.00 from supporters debited before, where $900.00 is usual',
  ]);
  expect(anomaliesOf({ debits: 3_000, cents: cents(900_00) }, earlier)).toEqual([
    'it debits 3000 who were debited before, where 300 is usual',
  ]);
});

test('a confirmation covers a tenth more than it names, to the cent', () => {
  expect(isCovered(cents(1_100_00), cents(1_000_00))).toBe(true);
  expect(isCovered(cents(1_100_01), cents(1_000_00))).toBe(false);
  expect(isCovered(cents(1), cents(0))).toBe(false);
});

test('a holiday that merges two runs and a suspension of a week are no oddity', () => {
  for (const times of [2, 3])
    expect(anomaliesOf({ debits: 300, cents: cents(times * 900_00) }, runs(12, 300, 900_00))).toEqual([]);
});

test('a large run in the last four weeks makes another one usual', () => {
  const earlier = [...runs(1, 300, 5_000_00), ...runs(11, 300, 900_00)];
  expect(anomaliesOf({ debits: 300, cents: cents(9_000_00) }, earlier)).toEqual([]);
  expect(anomaliesOf({ debits: 300, cents: cents(10_000_01) }, earlier)).toHaveLength(1);
});

test('with less than two weeks of runs nothing is an anomaly', () => {
  expect(anomaliesOf({ debits: 9_000, cents: cents(90_000_00) }, runs(5, 1, 100))).toEqual([]);
  expect(anomaliesOf({ debits: 9_000, cents: cents(90_000_00) }, [])).toEqual([]);
});

const total = fc.record({ debits: fc.nat(100_000), cents: fc.nat(100_000_00).map(cents) });
const earlier = fc.array(total, { maxLength: 20 });

test('a run below what one busy club brings in is never an anomaly', () =>
  fc.assert(
    fc.property(
      earlier,
      fc.nat(runAnomalyRule.smallestDebits),
      fc.nat(runAnomalyRule.smallestCents),
      (earlier, debits, sum) => {
        expect(anomaliesOf({ debits, cents: cents(sum) }, earlier)).toEqual([]);
      },
    ),
  ));

test('a run not above the largest remembered one is never an anomaly, and a larger run is one where a smaller one is', () =>
  fc.assert(
    fc.property(earlier, total, total, (earlier, run, more) => {
      const remembered = earlier.slice(0, runAnomalyRule.runsRemembered);
      const largest = {
        debits: Math.max(0, ...remembered.map(({ debits }) => debits)),
        cents: cents(Math.max(0, ...remembered.map((each) => each.cents))),
      };
      expect(anomaliesOf(largest, earlier)).toEqual([]);
      const larger = { debits: run.debits + more.debits, cents: add(run.cents, more.cents) };
      expect(anomaliesOf(larger, earlier).length).toBeGreaterThanOrEqual(anomaliesOf(run, earlier).length);
    }),
  ));

test('the median divides the numbers into equal halves, the lower one where two share the middle', () => {
  expect([median([]), median([7]), median([9, 1]), median([5, 1, 9])]).toEqual([0, 7, 1, 5]);
});

test('a crowd that joins is usual from its first run on, which leaves newcomers out, and its second, which remembers them', () => {
  const lonely = runs(12, 1, 5_00);
  expect(anomaliesOf({ debits: 1, cents: cents(5_00) }, lonely)).toEqual([]);
  expect(
    anomaliesOf({ debits: 5_001, cents: cents(20_000_00) }, [{ debits: 5_001, cents: cents(25_000_00) }, ...lonely]),
  ).toEqual([]);
});
