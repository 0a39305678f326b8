const ranges = 2 ** 32;

/**
 * Returns the number of the bucket that holds a supporter, from 0 (docs/decisions/buckets.md#why-whole-schemas).
 * Buckets are equal ranges of the first 32 bits of the id, which is a hash; so SQL can select a bucket as a range of
 * ids.
 */
export function bucketOf(supporterId: string, buckets: number): number {
  const start = Number.parseInt(supporterId.slice(0, 8), 16);
  return Math.floor((start * buckets) / ranges);
}
