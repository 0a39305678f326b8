import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bucketOf } from './bucket.ts';

const count = fc.integer({ min: 1, max: 1_024 });

test.each([
  ['00000000-0000-8000-8000-000000000000', 16, 0],
  ['0fffffff-ffff-8fff-bfff-ffffffffffff', 16, 0],
  ['10000000-0000-8000-8000-000000000000', 16, 1],
  ['55555556-0000-8000-8000-000000000000', 3, 1],
  ['ffffffff-ffff-8fff-bfff-ffffffffffff', 16, 15],
  ['ffffffff-ffff-8fff-bfff-ffffffffffff', 1, 0],
])('%s of %i buckets is in bucket %i, and stays there', (id, buckets, bucket) => {
  expect(bucketOf(id, buckets)).toBe(bucket);
});

test('every id has a bucket, and a greater id has none before it', () =>
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), count, (one, other, buckets) => {
      const [first, second] = [one, other].sort().map((id) => bucketOf(id, buckets));
      expect(first).toBeGreaterThanOrEqual(0);
      expect(second).toBeLessThan(buckets);
      expect(first).toBeLessThanOrEqual(second ?? -1);
    }),
  ));

test('ids that are hashes fill buckets evenly', () => {
  const held = new Array<number>(16).fill(0);
  for (let person = 0; person < 16_000; person += 1) {
    const bucket = bucketOf(createHash('sha256').update(String(person)).digest('hex'), held.length);
    held[bucket] = (held[bucket] ?? 0) + 1;
  }
  // Of 1,000 each: five standard deviations.
  for (const supporters of held) expect(Math.abs(supporters - 1_000)).toBeLessThan(155);
});
