/** Adds counts up by what they count. */
export function sumOfCounts<Name extends string>(counts: readonly [Name, number][]): Partial<Record<Name, number>> {
  const sums: Partial<Record<Name, number>> = {};
  for (const [name, count] of counts) sums[name] = (sums[name] ?? 0) + count;
  return sums;
}
