import { join } from 'node:path';
import type { Pool } from '@sparechange/server/db/connect.ts';
import { recordRoundUps } from '@sparechange/server/features/supporters/round-ups/record-round-ups.ts';
import { numbers, payers, purchasesOf } from './purchases.ts';
import { median, medianRatio, percentile, rounded, timed } from './stopwatch.ts';
import { makeTwin, withoutIndexes } from './tables.ts';

/** New purchases of each supporter, and supporters recorded together. */
const purchasesEach = 10;
const supportersInBatch = 500;

/** Returns a round's recording time, which finds its rows again. */
const recordedAt = (round: number) => new Date(Date.UTC(2026, 10, 24, 20, round));

/** Records ten purchases of every tenth supporter; returns recording seconds. */
async function recordAll(pool: Pool, round: number) {
  const random = numbers(round + 1);
  const total = { seconds: 0, transactions: 0, recorded: 0 };
  for (const bucket of pool.inBuckets())
    for await (const page of payers(bucket, round, supportersInBatch)) {
      const batch = purchasesOf(page, round, purchasesEach, random);
      const start = performance.now();
      const { roundUps } = await recordRoundUps(bucket, recordedAt(round), batch);
      total.seconds += (performance.now() - start) / 1000;
      total.transactions += batch.length;
      total.recorded += roundUps;
    }
  console.error(`ingest: recordRoundUps: ${total.seconds.toFixed(2)} s`);
  return total;
}

/** Makes a like table with the same rows, for `copy`. */
async function makeBareTable(pool: Pool): Promise<void> {
  await makeTwin(pool, 'round_ups', 'bare_round_ups');
  await withoutIndexes(pool, 'bare_round_ups', async (tx) => {
    await tx`insert into bare_round_ups select * from round_ups`;
  });
  await pool`vacuum analyze bare_round_ups`;
}

/** Writes the rows of a round in their recorded order. */
const writeFile = (pool: Pool, round: number, file: string) =>
  pool.begin(async (tx) => {
    await tx`set local max_parallel_workers_per_gather = 0`;
    await tx.unsafe(
      `copy (select * from round_ups where recorded_at = '${recordedAt(round).toISOString()}') to '${file}'`,
    );
  });

/** Records new purchases `runs` times, each beside a `copy` of the same rows into a table that is as full. */
export async function measureIngest(pool: Pool, folder: string, runs: number) {
  const buckets = pool.inBuckets();
  await timed('ingest: the table for copy', async () => {
    for (const bucket of buckets) await makeBareTable(bucket);
  });
  const fileOf = (at: number) => join(folder, `round-ups.${at}.copy`);
  const product: Awaited<ReturnType<typeof recordAll>>[] = [];
  const floor: number[] = [];
  for (let round = 0; round < runs; round++) {
    await pool`checkpoint`;
    product.push(await recordAll(pool, round));
    for (const [at, bucket] of buckets.entries()) await writeFile(bucket, round, fileOf(at));
    await pool`checkpoint`;
    floor.push(
      await timed('ingest: copy', async () => {
        for (const [at, bucket] of buckets.entries()) await bucket.unsafe(`copy bare_round_ups from '${fileOf(at)}'`);
      }),
    );
  }
  for (const bucket of buckets) await bucket`drop table bare_round_ups`;
  const seconds = product.map((round) => round.seconds);
  return {
    ratio: rounded(medianRatio(seconds, floor)),
    transactions: median(product.map((round) => round.transactions)),
    recorded: median(product.map((round) => round.recorded)),
    productSeconds: seconds.map((value) => rounded(value)),
    floorSeconds: floor.map((value) => rounded(value)),
  };
}

/** Measures the daily path: supporters one by one, each committed. */
export async function measureSync(pool: Pool, samples: number) {
  const round = 9;
  const random = numbers(round + 1);
  const ms: number[] = [];
  const buckets = pool.inBuckets();
  for (const [at, bucket] of buckets.entries())
    for await (const page of payers(bucket, round, 1)) {
      const purchases = purchasesOf(page, round, 30, random);
      const start = performance.now();
      await recordRoundUps(bucket, recordedAt(round), purchases);
      ms.push(performance.now() - start);
      if (ms.length >= (samples * (at + 1)) / buckets.length) break;
    }
  return { purchases: 30, samples: ms.length, p50Ms: rounded(median(ms)), p99Ms: rounded(percentile(ms, 0.99)) };
}
