import type { Pool } from './pool.ts';

/**
 * Runs work in every bucket, one after another, on past those where it fails.
 * Throws the failure, or an `AggregateError` of several, once all have had their turn.
 */
export async function inEachBucket<Result>(
  db: Pick<Pool, 'inBuckets'>,
  work: (bucket: Pool) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const failures: unknown[] = [];
  for (const bucket of db.inBuckets())
    try {
      results.push(await work(bucket));
    } catch (error) {
      failures.push(error);
    }
  if (failures.length > 1) throw new AggregateError(failures, `${failures.length} buckets failed.`);
  if (failures.length === 1) throw failures[0];
  return results;
}
