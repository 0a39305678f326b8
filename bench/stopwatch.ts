/** Runs work; prints its seconds on stderr and returns them. */
export async function timed(what: string, work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  const seconds = (performance.now() - start) / 1000;
  console.error(`${what}: ${seconds.toFixed(2)} s`);
  return seconds;
}

/** Runs work; returns its milliseconds. */
export async function msOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: number[]): number => percentile(values, 0.5);

/** The middle of the ratios of neighbouring runs: what slows the machine for a while slows both of a pair. */
export const medianRatio = (product: number[], floor: number[]): number =>
  median(product.map((seconds, at) => seconds / (floor[at] ?? Number.NaN)));

export const rounded = (value: number, digits = 2): number => Number(value.toFixed(digits));
