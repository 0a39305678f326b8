import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type Pool } from '@sparechange/server/db/connect.ts';
import { startEmbedded, withoutFsync } from '@sparechange/server/db/embedded.ts';
import { migrate } from '@sparechange/server/db/migrate.ts';
import { grantProductRole, productRole } from '@sparechange/server/db/product-role.ts';
import { joinBuckets, joinedUrl } from '@sparechange/server/testing/join-buckets.ts';

export interface SimulatedDatabase {
  /** As the product's own role, where the server has one. */
  url: string;
  /** A connection of nobody who is simulated. */
  admin: Pool;
  /** Reads the rows of all buckets together. */
  everybody: Pool;
  /** Does what the server would do by itself at times of its own choosing. */
  vacuum(): Promise<void>;
  close(): Promise<void>;
}

/** Nothing here has to survive the machine, and nothing may happen by itself. */
const settings = {
  ...withoutFsync,
  autovacuum: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
};

/** A server and a database of its own for one run. */
export async function openDatabase(buckets = 1): Promise<SimulatedDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sparechange-simulation-'));
  const server = await startEmbedded(dataDir, settings);
  const opened = await prepareDatabase(server.ownerUrl, { productUrl: server.url, buckets });
  return {
    ...opened,
    close: async () => {
      await opened.close();
      await server.release();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Migrates an empty database in which ids are numbered instead of drawn: PostgreSQL's own `uuidv7()` would order rows
 * differently in every run.
 */
export async function prepareDatabase(
  url: string,
  { productUrl = url, buckets = 1 }: { productUrl?: string; buckets?: number } = {},
): Promise<SimulatedDatabase> {
  const name = new URL(url).pathname.slice(1);
  const first = connect(url, { max: 1 });
  await first`create sequence simulated_ids`;
  await first.unsafe(`
    set allow_system_table_mods = on;
    create or replace function pg_catalog.uuidv7() returns uuid language sql volatile as $$
      select ('01900000-0000-7000-8000-' || lpad(to_hex(nextval('public.simulated_ids')), 12, '0'))::uuid
    $$`);
  const own = { jit: 'off', max_parallel_workers_per_gather: 0, plan_cache_mode: 'force_generic_plan' };
  for (const [setting, value] of Object.entries(own))
    await first.unsafe(`alter database "${name}" set ${setting} = ${value}`);
  await first.end();
  const admin = connect(url, { max: 2, name: 'simulation', buckets });
  await migrate(admin);
  if (productUrl !== url) await grantProductRole(admin, productRole);
  if (buckets > 1) await joinBuckets(admin);
  const everybody = buckets === 1 ? admin : connect(joinedUrl(url), { max: 2, name: 'simulation, everybody' });
  return {
    url: productUrl,
    admin,
    everybody,
    vacuum: async () => {
      await admin`vacuum (analyze)`;
    },
    close: async () => {
      await admin.end({ timeout: 5 });
      await everybody.end({ timeout: 5 });
    },
  };
}
