import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, inject, test } from 'vitest';
import { connect, type Pool } from '#db/connect.ts';
import { migrate } from '#db/migrate.ts';
import { findHolders } from '#db/place-buckets.ts';
import { awaitSessionLock } from '#db/session-lock.ts';
import { joinBuckets, joinedUrl, linkAgain } from './join-buckets.ts';
import { forgetEverything } from './makers.ts';

export interface OwnDatabase {
  /** Is given to the product. */
  readonly pool: Pool;
  /** Reads and writes for the test itself, in all buckets as if they were one. */
  readonly rows: Pool;
  /** One of its buckets, in which makers put everybody they make with it. */
  readonly bucket: Pool;
  readonly url: string;
  /** Addresses of the further servers of its buckets, by name. */
  readonly servers: Record<string, string>;
  /** Opens a further pool, as another process has. */
  open(max: number, name?: string): Pool;
}

export interface TestDatabase extends OwnDatabase {
  drop(): Promise<void>;
}

/** Buckets of databases whose test does not say: `npm test -- --buckets 4` sets it. */
export const testBuckets = Number(process.env.TEST_BUCKETS ?? 1);

/** Names of the servers of these buckets: `npm test -- --buckets 4 --servers 2` sets two. */
const testServers = Array.from({ length: Number(process.env.TEST_SERVERS ?? 0) }, (_, at) => `cell${at + 1}`);

/** A test of what holds for one bucket only; a run on several skips and lists it. */
export const testOfOneBucket = test.skipIf(testBuckets > 1);

interface Layout {
  buckets: number;
  servers: readonly string[];
  /** True where the test's own handle reads all buckets as one. */
  isJoined: boolean;
}

/** Returns the layout that a test names, or else that of the run. */
function layoutOf(buckets: number | undefined, named: readonly string[] | undefined): Layout {
  const servers = named ?? (buckets === undefined ? testServers : []);
  return { buckets: buckets ?? testBuckets, servers, isJoined: (buckets ?? testBuckets) > 1 && named === undefined };
}

/** Returns a database's address, and those of its further servers: in turn on each PostgreSQL of the run. */
function addressesOf(name: string, servers: readonly string[]) {
  const urls = inject('serverUrls');
  const on = (at: number, suffix: string) => (urls[at % urls.length] ?? '').replace(/\/[^/]+$/, `/${name}${suffix}`);
  return { url: on(0, ''), further: Object.fromEntries(servers.map((each, at) => [each, on(at, `_${each}`)])) };
}

/** Does work for each database of a test by its suffix, control's last. */
type OnEach = (run: (admin: Pool, suffix: string) => Promise<unknown>) => Promise<void>;

/**
 * A copy of a migrated template, in some 50 ms. Further servers hold the buckets of tests that name some; then `rows` is the
 * handle of control.
 */
export async function aDatabase(buckets?: number, servers?: readonly string[]): Promise<TestDatabase> {
  const layout = layoutOf(buckets, servers);
  const admins = inject('serverUrls').map((url) => connect(url, { max: 2 }));
  const admin = admins[0] as Pool;
  const onEach: OnEach = async (run) => {
    for (const [at, name] of layout.servers.entries()) await run(admins[at % admins.length] as Pool, `_${name}`);
    await run(admin, '');
  };
  const template = ['template_of', layout.buckets, ...layout.servers].join('_');
  await awaitSessionLock(admin, template, async () => {
    const [made] = await admin`select 1 from pg_database where datname = ${template}`;
    if (!made) await makeTemplate(template, layout, onEach);
  });
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await onEach((each, suffix) => each.unsafe(`create database ${name}${suffix} template ${template}${suffix}`));
  const { url, further } = addressesOf(name, layout.servers);
  const pool = connect(url, { max: 5, buckets: layout.buckets, servers: further });
  for (const [bucket, holder] of (await findHolders(pool)).holders.entries()) pool.servers.place(bucket, holder);
  if (layout.isJoined) await linkAgain(pool, further);
  const rows = layout.isJoined ? connect(joinedUrl(url), { max: 5, name: 'rows of a test' }) : pool;
  return {
    pool,
    rows,
    bucket: pool.inBuckets().at(-1) ?? pool,
    url,
    servers: further,
    open: (max, name = 'another process') => {
      const other = connect(url, { max, name, buckets: layout.buckets, servers: further });
      for (const [bucket, holder] of pool.servers.holders.entries()) other.servers.place(bucket, holder);
      return other;
    },
    drop: async () => {
      await Promise.all([pool.end(), rows.end()]);
      await onEach((each, suffix) => each.unsafe(`drop database ${name}${suffix} with (force)`));
      await Promise.all(admins.map((each) => each.end()));
    },
  };
}

/** Makes the template under another name first: one that was broken off is not taken for it. */
async function makeTemplate(template: string, { buckets, servers, isJoined }: Layout, onEach: OnEach): Promise<void> {
  const unfinished = `unfinished_${template}`;
  await onEach(async (admin, suffix) => {
    await admin.unsafe(`drop database if exists ${unfinished}${suffix}`);
    await admin.unsafe(`create database ${unfinished}${suffix}`);
  });
  const { url, further } = addressesOf(unfinished, servers);
  const pool = connect(url, { max: 2, buckets, servers: further });
  try {
    await migrate(pool);
    if (isJoined) await joinBuckets(pool, further);
  } finally {
    await pool.end();
  }
  await onEach((admin, suffix) => admin.unsafe(`alter database ${unfinished}${suffix} rename to ${template}${suffix}`));
}

/** A test file's database, made before and dropped after it. */
export function ownDatabase(buckets?: number, servers?: readonly string[]): OwnDatabase {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await aDatabase(buckets, servers);
  });
  afterAll(() => database.drop());
  return {
    get pool() {
      return database.pool;
    },
    get rows() {
      return database.rows;
    },
    get bucket() {
      return database.bucket;
    },
    get url() {
      return database.url;
    },
    get servers() {
      return database.servers;
    },
    open: (max, name) => database.open(max, name),
  };
}

/** Makes a database that is emptied before each test. */
export function emptiedDatabase(): OwnDatabase {
  const database = ownDatabase();
  beforeEach(() => forgetEverything(database.pool));
  return database;
}

/** Ends the connections that hold locks, as a failing network does, and waits until their processes notice. */
export async function loseLocks(db: Pool): Promise<void> {
  await db`
    select pg_terminate_backend(pid, 5000) from pg_locks
    where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`;
  await wait(100);
}

/** Returns dependencies with the handle of a supporter's bucket, as operations get them. */
export const inBucketOf = <Deps extends { db: Pool }>(deps: Deps, supporterId: string): Deps => ({
  ...deps,
  db: deps.db.of(supporterId),
});
