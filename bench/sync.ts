import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Pool } from '@sparechange/server/db/connect.ts';
import { syncPass } from '@sparechange/server/features/round-ups/sync-purchases.ts';
import { enqueuePass } from '@sparechange/server/features/supporter-work/do-work.ts';
import { rounded } from './stopwatch.ts';

const workerFile = fileURLToPath(new URL('sync-worker.ts', import.meta.url));
/** Of the evening's sync, when a supporter costs three calls. */
const dueAt = new Date('2026-11-24T19:00:00Z');
const latencyMs = 150;

/** Syncs everybody with so many workers, each a process of its own; answers supporters a second. */
async function measureWorkers(pool: Pool, url: string, workers: number, inFlight: number): Promise<number> {
  await pool`update supporters set synced_at = ${dueAt}, bank_data_at = ${dueAt}, statement_digest = null`;
  await pool`delete from supporter_work`;
  await enqueuePass({ db: pool, clock: { now: () => dueAt } }, { ...syncPass, dueAt });
  const round = `${workers} ${inFlight}`;
  const args = [workerFile, '--url', url, '--round', round, '--latency', `${latencyMs}`, '--inFlight', `${inFlight}`];
  const programs = Array.from({ length: workers }, () =>
    spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] }),
  );
  await Promise.all(programs.map(({ stdout }) => once(stdout, 'data')));
  const start = performance.now();
  const answers = programs.map(async ({ stdin, stdout }) => {
    stdin.write('go\n');
    const [answer] = await once(stdout, 'data');
    return Number(answer);
  });
  const done = (await Promise.all(answers)).reduce((sum, count) => sum + count, 0);
  return rounded(done / ((performance.now() - start) / 1_000), 1);
}

/** Measures syncs a second at a provider's latency, with one worker and with two. */
export async function measureSyncRate(pool: Pool, url: string) {
  const oneWorker = await measureWorkers(pool, url, 1, 72);
  const twoWorkers = await measureWorkers(pool, url, 2, 72);
  const oneOf32 = await measureWorkers(pool, url, 1, 32);
  const oneOf128 = await measureWorkers(pool, url, 1, 128);
  return { latencyMs, oneWorker, twoWorkers, ratio: rounded(twoWorkers / oneWorker), oneOf32, oneOf128 };
}
