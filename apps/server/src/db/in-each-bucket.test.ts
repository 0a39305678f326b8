import { expect, test } from 'vitest';
import { inEachBucket } from './in-each-bucket.ts';
import type { Pool } from './pool.ts';

const buckets = [0, 1, 2, 3].map((number) => ({ number }) as unknown as Pool & { number: number });
const db = { inBuckets: () => buckets };

/** Runs work that fails in some buckets; returns the buckets that had their turn. */
async function runWithFailures(...failing: number[]) {
  const reached: number[] = [];
  const run = inEachBucket(db, async (bucket) => {
    const { number } = bucket as Pool & { number: number };
    reached.push(number);
    if (failing.includes(number)) throw new Error(`bucket ${number}`);
    return number;
  });
  return { reached, results: await run.catch((error: unknown) => error) };
}

test('returns the results in the order of the buckets', async () => {
  expect((await runWithFailures()).results).toEqual([0, 1, 2, 3]);
});

test('continues past a failing bucket, then throws its error', async () => {
  const { reached, results } = await runWithFailures(1);
  expect(reached).toEqual([0, 1, 2, 3]);
  expect(results).toEqual(new Error('bucket 1'));
});

test('throws every failure where there are several', async () => {
  const { results } = await runWithFailures(0, 2);
  expect(results).toBeInstanceOf(AggregateError);
  expect((results as AggregateError).errors).toEqual([new Error('bucket 0'), new Error('bucket 2')]);
});
