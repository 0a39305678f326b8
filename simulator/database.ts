import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type Pool } from '@sparechange/server/db/connect.ts';
import { startEmbedded, withoutFsync } from '@sparechange/server/db/embedded.ts';
import type { EngineName } from '@sparechange/server/db/engine.ts';
import { inEachBucket } from '@sparechange/server/db/in-each-bucket.ts';
import { migrate } from '@sparechange/server/db/migrate.ts';
import { grantProductRole, productRole } from '@sparechange/server/db/product-role.ts';
import { emptyTables, prepareOnNodes } from '@sparechange/server/testing/citus-database.ts';
import { joinBuckets, joinedUrl } from '@sparechange/server/testing/join-buckets.ts';
import { recordRepresentments } from './invariants/deferral-oracle.ts';

export interface SimulatedDatabase {
  engine: EngineName;
  /** As the product's own role, where the server has one. */
  url: string;
  /** A connection of nobody who is simulated. */
  admin: Pool;
  /** Reads the rows of all buckets together. */
  everybody: Pool;
  /** Vacuums now, as autovacuum would at its own times. */
  vacuum(): Promise<void>;
  close(): Promise<void>;
}

/** The data need not survive the machine, and nothing may happen unprompted. */
const settings = {
  ...withoutFsync,
  autovacuum: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
};

const maxSocketPath = 100;

/** Returns the server's data folder where its socket may be there: a round trip over it costs less than over TCP. */
function socketFolderIn(dataDir: string): string | undefined {
  const folder = join(dataDir, 'postgres');
  const isPossible = process.platform !== 'win32' && join(folder, '.s.PGSQL.65535').length <= maxSocketPath;
  return isPossible ? folder : undefined;
}

function overSocket(url: string, folder: string | undefined): string {
  const target = new URL(url);
  if (folder) target.searchParams.set('host', folder);
  return target.href;
}

/** A server of its own for one run. */
export async function openDatabase(buckets = 1): Promise<SimulatedDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sparechange-simulation-'));
  const socketFolder = socketFolderIn(dataDir);
  const server = await startEmbedded(dataDir, { ...settings, ...(socketFolder && { unix_socket_directories: '.' }) });
  const prepared = await prepareDatabase(overSocket(server.ownerUrl, socketFolder), {
    productUrl: overSocket(server.url, socketFolder),
    buckets,
  });
  return {
    ...prepared,
    close: async () => {
      await prepared.close();
      await server.release();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The addresses of a cluster's database for tests: as its owner, and as the product's role. */
export interface ClusterUrls {
  url: string;
  productUrl: string;
}

/** The database of a Citus cluster, emptied. Its ids are drawn as in production, so a seed does not play the same again. */
export async function openOnNodes({ url, productUrl }: ClusterUrls, buckets: number): Promise<SimulatedDatabase> {
  const admin = connect(url, { max: 2, name: 'simulation', buckets, keepsUnused: true });
  await prepareOnNodes(admin, url);
  await emptyTables(admin);
  await inEachBucket(admin, recordRepresentments);
  await joinBuckets(admin, { isOnNodes: true });
  await grantProductRole(admin, new URL(productUrl).username);
  return { ...opened(admin, joinedUrl(url), productUrl), engine: 'citus' };
}

/** Numbers ids instead of drawing them: PostgreSQL's own `uuidv7()` would order rows differently in every run. */
async function numberIds(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  const admin = connect(url, { max: 1 });
  await admin.unsafe('create sequence simulated_ids');
  await admin.unsafe(`
    set allow_system_table_mods = on;
    create or replace function pg_catalog.uuidv7() returns uuid language sql volatile as $$
      select ('01900000-0000-7000-8000-' || lpad(to_hex(nextval('public.simulated_ids')), 12, '0'))::uuid
    $$`);
  const own = { jit: 'off', max_parallel_workers_per_gather: 0, plan_cache_mode: 'force_generic_plan' };
  for (const [setting, value] of Object.entries(own))
    await admin.unsafe(`alter database "${name}" set ${setting} = ${value}`);
  await admin.end();
}

interface Layout {
  productUrl?: string;
  buckets?: number;
}

/** Migrates an empty database. */
export async function prepareDatabase(
  url: string,
  { productUrl = url, buckets = 1 }: Layout = {},
): Promise<SimulatedDatabase> {
  await numberIds(url);
  const admin = connect(url, { max: 2, name: 'simulation', buckets, keepsUnused: true });
  await migrate(admin);
  await inEachBucket(admin, recordRepresentments);
  if (productUrl !== url) await grantProductRole(admin, productRole);
  if (buckets > 1) await joinBuckets(admin);
  return opened(admin, buckets === 1 ? undefined : joinedUrl(url), productUrl);
}

function opened(admin: Pool, joined: string | undefined, url: string): SimulatedDatabase {
  const everybody =
    joined === undefined ? admin : connect(joined, { max: 2, name: 'simulation, everybody', keepsUnused: true });
  return {
    engine: 'postgres',
    url,
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
