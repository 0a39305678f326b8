import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isoDate } from '@sparechange/domain';
import { connect, type Pool } from '@sparechange/server/db/connect.ts';
import { type EmbeddedDatabase, startEmbedded } from '@sparechange/server/db/embedded.ts';
import { migrate } from '@sparechange/server/db/migrate.ts';
import { hasEnded, loadTenants, type Tenants } from '@sparechange/server/tenants/load-tenants.ts';
import {
  makeClubs,
  makeEarlierDebits,
  makeIdFunction,
  makeSupporters,
  makeWaitingRoundUps,
  numbersIn,
  waitingEach,
} from './make-supporters.ts';
import { timed } from './stopwatch.ts';

const applicationName = 'sparechange bench';

export interface SupportersDatabase {
  pool: Pool;
  tenants: Tenants;
  /** For files; it goes with the database. */
  folder: string;
  url: string;
  setUpSeconds: number;
}

async function setUp(pool: Pool, supporters: number, tenantKeys: string[]): Promise<number> {
  return timed(`set up ${supporters} supporters with ${supporters * waitingEach} round-ups`, async () => {
    await migrate(pool);
    await makeIdFunction(pool);
    await makeClubs(pool);
    for (const [at, bucket] of pool.inBuckets().entries()) {
      const numbers = numbersIn(at, pool.inBuckets().length, supporters);
      await timed('  supporters', () => makeSupporters(bucket, numbers, tenantKeys));
      await timed('  earlier debits', () => makeEarlierDebits(bucket));
      await timed('  round-ups', () => makeWaitingRoundUps(bucket));
    }
    await timed('  vacuum', () => pool`vacuum analyze`);
  });
}

/** Ends the database's work on Control-C and leaves nothing behind. */
async function stopEarly(database: EmbeddedDatabase, folder: string): Promise<never> {
  process.on('uncaughtException', () => {}); // connections break in the middle of their work
  const admin = connect(database.ownerUrl, { max: 1 });
  await admin`
    select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = ${applicationName}`;
  await admin.end();
  await database.release();
  await rm(folder, { recursive: true });
  process.exit(130);
}

/** Runs work on a temporary database with the given number of supporters. */
export async function withSupporters<Result>(
  supporters: number,
  work: (prepared: SupportersDatabase) => Promise<Result>,
  { buckets = 1 }: { buckets?: number } = {},
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'sparechange-bench-'));
  const database = await startEmbedded(folder);
  const url = database.ownerUrl;
  const pool = connect(url, { name: applicationName, buckets });
  const stop = () => stopEarly(database, folder);
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    const tenants = await loadTenants(fileURLToPath(new URL('../tenants', import.meta.url)));
    const running = tenants.list().filter((tenant) => !hasEnded(tenant, isoDate('2026-11-30')));
    const keys = running.map((tenant) => tenant.key);
    return await work({
      pool,
      tenants,
      folder,
      url,
      setUpSeconds: await setUp(pool, supporters, keys),
    });
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    await pool.end();
    await database.release();
    await rm(folder, { recursive: true });
  }
}
