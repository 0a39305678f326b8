import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, inject, test } from 'vitest';
import { connect, type Pool } from '#db/connect.ts';
import { engines } from '#db/engine.ts';
import { migrate } from '#db/migrate.ts';
import { awaitSessionLock } from '#db/session-lock.ts';
import { citusUrl, emptyDatabase } from './citus-database.ts';
import { joinBuckets, joinedUrl } from './join-buckets.ts';
import { forgetEverything } from './makers.ts';
import { emptyOver, withoutGuards } from './set-guards-aside.ts';

export interface OwnDatabase {
  /** Is given to the product. */
  readonly pool: Pool;
  /** Reads and writes for the test itself, in all buckets as if they were one. */
  readonly rows: Pool;
  /** One of its buckets, in which makers put everybody they make with it. */
  readonly bucket: Pool;
  readonly url: string;
  /** Opens a further pool, as another process has. */
  open(max: number, name?: string): Pool;
}

export interface TestDatabase extends OwnDatabase {
  drop(): Promise<void>;
}

/** Buckets of databases whose test does not say: `npm test -- --buckets 4` sets it. */
export const testBuckets = Number(process.env.TEST_BUCKETS ?? 1);

/** A test of what holds for one bucket only; a run on several skips and lists it. */
export const testOfOneBucket = test.skipIf(testBuckets > 1);

export interface Layout {
  /** False where `rows` is the handle of control, and not one that reads all buckets as one. */
  isJoined?: boolean;
}

const isJoinedIn = (buckets: number, { isJoined = true }: Layout): boolean => isJoined && buckets > 1;

/** A copy of a migrated template, in some 50 ms. */
export async function aDatabase(buckets = testBuckets, layout: Layout = {}): Promise<TestDatabase> {
  const isJoined = isJoinedIn(buckets, layout);
  if (citusUrl !== undefined && buckets === testBuckets) return onNodes(citusUrl, isJoined);
  const admin = connect(inject('serverUrl'), { max: 2 });
  const template = ['template_of', buckets, ...(isJoined ? ['joined'] : [])].join('_');
  await awaitSessionLock(admin, template, async () => {
    const [made] = await admin`select 1 from pg_database where datname = ${template}`;
    if (!made) await makeTemplate(admin, template, buckets, isJoined);
  });
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await admin.unsafe(`create database ${name} template ${template} strategy file_copy`);
  const opened = openOwn(addressOf(name), buckets, isJoined);
  const unguarded = connect(withoutGuards(opened.url), { max: 1, name: 'without guards', buckets });
  emptyOver(opened.pool, unguarded);
  return {
    ...opened,
    drop: async () => {
      await Promise.all([opened.drop(), unguarded.end()]);
      await admin.unsafe(`drop database ${name} with (force)`);
      await admin.end();
    },
  };
}

/** The one database of a cluster, emptied. */
async function onNodes(url: string, isJoined: boolean): Promise<TestDatabase> {
  await emptyDatabase(url, testBuckets);
  const opened = openOwn(url, testBuckets, isJoined);
  await engines.citus.findNodes(opened.pool);
  return opened;
}

/** Opens the handles of a test on its database; dropping it ends them. */
function openOwn(url: string, buckets: number, isJoined: boolean): TestDatabase {
  const open = (max: number, name = 'another process') => connect(url, { max, name, buckets });
  const pool = open(5, 'sparechange');
  const rows = isJoined ? connect(joinedUrl(url), { max: 5, name: 'rows of a test' }) : pool;
  return {
    pool,
    rows,
    bucket: pool.inBuckets().at(-1) ?? pool,
    url,
    open,
    drop: async () => {
      await Promise.all([pool.end(), rows.end()]);
    },
  };
}

const addressOf = (name: string): string => inject('serverUrl').replace(/\/[^/]+$/, `/${name}`);

/** Makes the template under another name first: one that was broken off is not taken for it. */
async function makeTemplate(admin: Pool, template: string, buckets: number, isJoined: boolean): Promise<void> {
  const unfinished = `unfinished_${template}`;
  await admin.unsafe(`drop database if exists ${unfinished}`);
  await admin.unsafe(`create database ${unfinished}`);
  const pool = connect(addressOf(unfinished), { max: 2, buckets });
  try {
    await migrate(pool);
    if (isJoined) await joinBuckets(pool);
  } finally {
    await pool.end();
  }
  await admin.unsafe(`alter database ${unfinished} rename to ${template}`);
}

/** A test file's database, made before and dropped after it. */
export function ownDatabase(buckets?: number, layout?: Layout): OwnDatabase {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await aDatabase(buckets, layout);
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
    open: (max, name) => database.open(max, name),
  };
}

/** Makes a database that is emptied before each test. */
export function emptiedDatabase(buckets?: number): OwnDatabase {
  const database = ownDatabase(buckets);
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
