import { type Cents, cents, formatCents, total } from './money.ts';

export interface RunTotal {
  debits: number;
  cents: Cents;
}

/** Adds the parts of a run up. */
export const sumOfRuns = (parts: readonly RunTotal[]): RunTotal => ({
  debits: parts.reduce((sum, { debits }) => sum + debits, 0),
  cents: total(parts.map((part) => part.cents)),
});

/**
 * When a run is an anomaly. A public holiday merges two runs, a suspension of a week three, so what is usual must be left well behind
 * in both ways: four times the median of the last four weeks, and twice the largest run of them. Runs below what one
 * busy club brings in are never an anomaly: little is at stake, and small numbers jump. With less than two weeks of runs nobody
 * knows what is usual.
 */
export const runAnomalyRule = {
  runsRemembered: 12,
  fewestRuns: 6,
  timesMedian: 4,
  timesLargest: 2,
  smallestCents: 1_000_00,
  smallestDebits: 200,
  /**
   * Purchases keep coming in between an operator's look and the run: this share beyond the confirmed sum is covered.
   */
  confirmedMargin: 0.1,
} as const;

/** Returns whether a confirmation of one amount covers a run that asks for another. */
export const isCovered = (asked: Cents, confirmed: Cents): boolean =>
  asked <= confirmed + Math.floor(confirmed * runAnomalyRule.confirmedMargin);

/** Returns the lower middle number, or 0 without numbers. */
export function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.ceil(numbers.length / 2) - 1] ?? 0;
}

function isFarAbove(value: number, usual: number[]): boolean {
  const { timesMedian, timesLargest } = runAnomalyRule;
  return value > timesMedian * median(usual) && value > timesLargest * Math.max(...usual);
}

/**
 * Returns a phrase for each anomaly of a run. `run` leaves out first debits: a club that joins with all its members is
 * usual. `earlier` holds the last runs that asked for anything, the newest first.
 */
export function anomaliesOf(run: RunTotal, earlier: readonly RunTotal[]): string[] {
  const remembered = earlier.slice(0, runAnomalyRule.runsRemembered);
  if (remembered.length < runAnomalyRule.fewestRuns) return [];
  const anomalies: string[] = [];
  const sums = remembered.map(({ cents }) => cents);
  const counts = remembered.map(({ debits }) => debits);
  if (run.cents > runAnomalyRule.smallestCents && isFarAbove(run.cents, sums)) {
    const usual = formatCents(cents(median(sums)));
    anomalies.push(`it asks for ${formatCents(run.cents)} from supporters debited before, where ${usual} is usual`);
  }
  if (run.debits > runAnomalyRule.smallestDebits && isFarAbove(run.debits, counts)) {
    anomalies.push(`it debits ${run.debits} who were debited before, where ${median(counts)} is usual`);
  }
  return anomalies;
}
