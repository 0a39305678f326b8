import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type Pool } from '@sparechange/server/db/connect.ts';
import { type EmbeddedDatabase, startEmbedded, withoutFsync } from '@sparechange/server/db/embedded.ts';
import { inEachBucket } from '@sparechange/server/db/in-each-bucket.ts';
import { migrate } from '@sparechange/server/db/migrate.ts';
import { grantProductRole, productRole } from '@sparechange/server/db/product-role.ts';
import { joinBuckets, joinedUrl } from '@sparechange/server/testing/join-buckets.ts';
import { recordRepresentments } from './invariants/deferral-oracle.ts';

export interface SimulatedDatabase {
  /** As the product's own role, where the server has one. */
  url: string;
  /** The further servers of buckets, as the same role. */
  servers: Record<string, string>;
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

interface Address {
  /** As the owner. */
  url: string;
  /** As the product's role. */
  productUrl: string;
}

const otherDatabase = (url: string, name: string): string => url.replace(/\/[^/]+$/, `/${name}`);

/** A server and a database of its own for one run; with further ones, as many servers, among which buckets are divided. */
export async function openDatabase(buckets = 1, further = 0): Promise<SimulatedDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sparechange-simulation-'));
  const servers: EmbeddedDatabase[] = [];
  for (let at = 0; at < Math.max(1, further); at += 1)
    servers.push(await startEmbedded(join(dataDir, String(at)), settings));
  const [first] = servers.map(({ ownerUrl, url }): Address => ({ url: ownerUrl, productUrl: url }));
  if (!first) throw new Error('No server was started.');
  const addresses: Record<string, Address> = {};
  for (const [at, { ownerUrl, url }] of servers.slice(0, further).entries()) {
    const name = `cell_${at + 1}`;
    const admin = connect(ownerUrl, { max: 1 });
    await admin.unsafe(`create database ${name}`).finally(() => admin.end());
    addresses[name] = { url: otherDatabase(ownerUrl, name), productUrl: otherDatabase(url, name) };
  }
  const opened = await prepareDatabase(first.url, { productUrl: first.productUrl, buckets, further: addresses });
  return {
    ...opened,
    close: async () => {
      await opened.close();
      for (const server of servers) await server.release();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const aBillion = 1_000_000_000;

/** Numbers ids instead of drawing them: PostgreSQL's own `uuidv7()` would order rows differently in every run. */
async function numberIds(url: string, from: number): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  const admin = connect(url, { max: 1 });
  await admin.unsafe(`create sequence simulated_ids start with ${from}`);
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
  further?: Record<string, Address>;
}

/** Migrates an empty database, and those of its further servers. */
export async function prepareDatabase(
  url: string,
  { productUrl = url, buckets = 1, further = {} }: Layout = {},
): Promise<SimulatedDatabase> {
  const urls = Object.entries(further).map(([name, address]) => [name, address.url] as const);
  for (const [at, address] of [url, ...urls.map(([, each]) => each)].entries())
    await numberIds(address, 1 + at * aBillion);
  const servers = Object.fromEntries(urls);
  const admin = connect(url, { max: 2, name: 'simulation', buckets, servers });
  await migrate(admin);
  const everyServer = admin.servers.all.map((server) => admin.on(server));
  if (productUrl !== url) for (const server of everyServer) await grantProductRole(server, productRole);
  await inEachBucket(admin, recordRepresentments);
  if (buckets > 1) await joinBuckets(admin, servers);
  const everybody = buckets === 1 ? admin : connect(joinedUrl(url), { max: 2, name: 'simulation, everybody' });
  return {
    url: productUrl,
    servers: Object.fromEntries(Object.entries(further).map(([name, address]) => [name, address.productUrl])),
    admin,
    everybody,
    vacuum: async () => {
      for (const server of everyServer) await server`vacuum (analyze)`;
    },
    close: async () => {
      await admin.end({ timeout: 5 });
      await everybody.end({ timeout: 5 });
    },
  };
}
