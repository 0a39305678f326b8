import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, inject, test } from 'vitest';
import { connect, type Pool } from '#db/connect.ts';
import { migrate } from '#db/migrate.ts';
import { findHolders } from '#db/place-buckets.ts';
import { awaitSessionLock } from '#db/session-lock.ts';
import { joinBuckets, joinedUrl } from './join-buckets.ts';
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
  open(max: number): Pool;
}

export interface TestDatabase extends OwnDatabase {
  drop(): Promise<void>;
}

/** Buckets of databases whose test does not say: `npm test -- --buckets 4` sets it. */
export const testBuckets = Number(process.env.TEST_BUCKETS ?? 1);

/** A test of what holds for one bucket only; a run on several skips and lists it. */
export const testOfOneBucket = test.skipIf(testBuckets > 1);

/**
 * A copy of a migrated template, in some 50 ms. Further servers, of which the buckets are, are databases of the same PostgreSQL;
 * then `rows` is the handle of control.
 */
export async function aDatabase(buckets = testBuckets, servers: readonly string[] = []): Promise<TestDatabase> {
  const server = inject('serverUrl');
  const urlOf = (name: string) => server.replace(/\/[^/]+$/, `/${name}`);
  const admin = connect(server, { max: 2 });
  const template = ['template_of', buckets, ...servers].join('_');
  await awaitSessionLock(admin, template, async () => {
    const [made] = await admin`select 1 from pg_database where datname = ${template}`;
    if (!made) await makeTemplate({ admin, template, buckets, servers, urlOf });
  });
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  for (const suffix of suffixesOf(servers))
    await admin.unsafe(`create database ${name}${suffix} template ${template}${suffix}`);
  const url = urlOf(name);
  const further = addressesOf(url, servers);
  const pool = connect(url, { max: 5, buckets, servers: further });
  for (const [bucket, holder] of (await findHolders(pool)).entries()) pool.servers.place(bucket, holder);
  const isJoined = buckets > 1 && servers.length === 0;
  const rows = isJoined ? connect(joinedUrl(url), { max: 5, name: 'rows of a test' }) : pool;
  return {
    pool,
    rows,
    bucket: pool.inBuckets().at(-1) ?? pool,
    url,
    servers: further,
    open: (max) => {
      const other = connect(url, { max, buckets, servers: further });
      for (const [bucket, holder] of pool.servers.holders.entries()) other.servers.place(bucket, holder);
      return other;
    },
    drop: async () => {
      await Promise.all([pool.end(), rows.end()]);
      for (const suffix of suffixesOf(servers)) await admin.unsafe(`drop database ${name}${suffix} with (force)`);
      await admin.end();
    },
  };
}

/** Returns what the names of databases end with: of control's, and of each further server's. */
const suffixesOf = (servers: readonly string[]) => ['', ...servers.map((name) => `_${name}`)];

const addressesOf = (url: string, servers: readonly string[]): Record<string, string> =>
  Object.fromEntries(servers.map((name) => [name, `${url}_${name}`]));

interface Template {
  admin: Pool;
  template: string;
  buckets: number;
  servers: readonly string[];
  urlOf: (name: string) => string;
}

/** Makes the template under another name first: one that was broken off is not taken for it. */
async function makeTemplate({ admin, template, buckets, servers, urlOf }: Template): Promise<void> {
  const unfinished = `unfinished_${template}`;
  const suffixes = suffixesOf(servers);
  for (const suffix of suffixes) {
    await admin.unsafe(`drop database if exists ${unfinished}${suffix}`);
    await admin.unsafe(`create database ${unfinished}${suffix}`);
  }
  const url = urlOf(unfinished);
  const pool = connect(url, { max: 2, buckets, servers: addressesOf(url, servers) });
  try {
    await migrate(pool);
    if (buckets > 1 && servers.length === 0) await joinBuckets(pool);
  } finally {
    await pool.end();
  }
  for (const suffix of suffixes.toReversed())
    await admin.unsafe(`alter database ${unfinished}${suffix} rename to ${template}${suffix}`);
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
    open: (max) => database.open(max),
  };
}

/** Makes a database that is emptied before each test. */
export function emptiedDatabase(): OwnDatabase {
  const database = ownDatabase();
  beforeEach(() => forgetEverything(database.pool));
  return database;
}

/** Returns dependencies with the handle of a supporter's bucket, as operations get them. */
export const inBucketOf = <Deps extends { db: Pool }>(deps: Deps, supporterId: string): Deps => ({
  ...deps,
  db: deps.db.of(supporterId),
});
