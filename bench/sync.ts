import { parseConfig } from '@sparechange/server/config/config.ts';
import type { Pool } from '@sparechange/server/db/connect.ts';
import { enqueuePass } from '@sparechange/server/features/core/supporter-work/do-work.ts';
import { syncPass } from '@sparechange/server/features/supporters/round-ups/sync-purchases.ts';
import { startPart } from './start-part.ts';
import { rounded } from './stopwatch.ts';
import type { SupportersDatabase } from './with-supporters.ts';

/** The evening sync, when a supporter costs three calls. */
const dueAt = new Date('2026-11-24T19:00:00Z');
const latencyMs = 150;

export async function makeSyncsDue(pool: Pool): Promise<void> {
  for (const bucket of pool.inBuckets()) {
    await bucket`update supporters set synced_at = ${dueAt}, bank_data_at = ${dueAt}, statement_digest = null`;
    await bucket`delete from supporter_work`;
  }
  await enqueuePass({ db: pool, clock: { now: () => dueAt } }, { ...syncPass, dueAt });
}

/**
 * Syncs everybody with `workers` workers, each a process of its own; returns supporters a second. A worker runs for
 * weeks, so an uncounted sync first does what its connections do once a bucket, such as planning statements.
 */
async function measureWorkers(
  { pool, url }: Pick<SupportersDatabase, 'pool' | 'url'>,
  workers: number,
  inFlight: number,
): Promise<number> {
  const { buckets } = pool.scope;
  const options = {
    buckets,
    latency: latencyMs,
    round: `${workers} ${inFlight}`,
    inFlight,
  };
  const parts = await Promise.all(Array.from({ length: workers }, () => startPart('sync', url, options)));
  const syncEverybody = async () => {
    await makeSyncsDue(pool);
    const start = performance.now();
    const ends = await Promise.all(parts.map(({ go }) => go()));
    const done = ends.reduce((sum, end) => sum + end.done, 0);
    return rounded(done / ((performance.now() - start) / 1_000), 1);
  };
  await syncEverybody();
  const rate = await syncEverybody();
  for (const { end } of parts) end();
  return rate;
}

/** Measures syncs a second at a provider's latency, with one worker and with two. */
export async function measureSyncRate(prepared: SupportersDatabase) {
  const inFlight = parseConfig({}).callsInFlight;
  const oneWorker = await measureWorkers(prepared, 1, inFlight);
  const twoWorkers = await measureWorkers(prepared, 2, inFlight);
  const oneOf128 = await measureWorkers(prepared, 1, 128);
  // With the default, two workers, PostgreSQL and the stand-in of the bank fill two cores: half the calls show what
  // workers cost each other.
  const oneOfHalf = await measureWorkers(prepared, 1, inFlight / 2);
  const twoOfHalf = await measureWorkers(prepared, 2, inFlight / 2);
  return {
    latencyMs,
    inFlight,
    oneWorker,
    twoWorkers,
    ratio: rounded(twoWorkers / oneWorker),
    oneOf128,
    ofHalfTheCalls: { oneWorker: oneOfHalf, twoWorkers: twoOfHalf, ratio: rounded(twoOfHalf / oneOfHalf) },
  };
}
