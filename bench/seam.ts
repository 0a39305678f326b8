import { connect, type Pool } from '@sparechange/server/db/connect.ts';
import { bucketSchema } from '@sparechange/server/db/scope.ts';
import { recordRoundUps } from '@sparechange/server/features/supporters/round-ups/record-round-ups.ts';
import { numbers, payers, purchasesOf } from './purchases.ts';
import { median, msOf, rounded } from './stopwatch.ts';

const round = 8;
/** Supporters of each bucket; the first ones of each let connections plan their statements. */
const supportersEach = 60;
const warmUp = 20;
const recordedAt = new Date('2026-11-24T21:00:00Z');

/** Connects to one bucket's schema alone, as if there were no others. */
function connectTo(url: string, bucket: number): Pool {
  const target = new URL(url);
  target.searchParams.set('options', `-c search_path=${bucketSchema(bucket)},public`);
  return connect(target.href, { max: 1, name: 'sparechange bench seam' });
}

/**
 * Records thirty purchases of one supporter after another, of each bucket in turn: half of them through the seam, half over
 * connections that know no other bucket.
 */
export async function measureSeam(pool: Pool, url: string) {
  const random = numbers(round + 1);
  const buckets = pool.inBuckets();
  const without = buckets.map((_, bucket) => connectTo(url, bucket));
  const pages = await Promise.all(
    buckets.map(async (bucket) => (await payers(bucket, round, supportersEach).next()).value ?? []),
  );
  const [throughMs, withoutMs]: [number[], number[]] = [[], []];
  for (let at = 0; at + 1 < supportersEach; at += 2)
    for (const [bucket, page] of pages.entries()) {
      const [one, other] = [page[at], page[at + 1]];
      if (!one || !other) continue;
      const purchasesOfOne = purchasesOf([one], round, 30, random);
      const purchasesOfOther = purchasesOf([other], round, 30, random);
      const through = await msOf(() => recordRoundUps(pool.of(one.supporterId), recordedAt, purchasesOfOne));
      const alone = await msOf(() => recordRoundUps(without[bucket] as Pool, recordedAt, purchasesOfOther));
      if (at < warmUp) continue;
      throughMs.push(through);
      withoutMs.push(alone);
    }
  for (const each of without) await each.end();
  const [p50Ms, withoutP50Ms] = [median(throughMs), median(withoutMs)];
  return {
    samples: throughMs.length,
    p50Ms: rounded(p50Ms),
    withoutP50Ms: rounded(withoutP50Ms),
    ratio: rounded(p50Ms / withoutP50Ms),
  };
}
