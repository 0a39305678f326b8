import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, inject, test } from 'vitest';
import { connect, type Pool } from '#db/connect.ts';
import { migrate } from '#db/migrate.ts';
import { awaitSessionLock } from '#db/session-lock.ts';
import { joinBuckets, joinedUrl } from './join-buckets.ts';
import { forgetEverything } from './makers.ts';

export interface OwnDatabase {
  /** What the product is given. */
  readonly pool: Pool;
  /** Reads and writes for the test itself, in all buckets as if they were one. */
  readonly rows: Pool;
  /** One of its buckets, in which makers put everybody they make with it. */
  readonly bucket: Pool;
  readonly url: string;
}

export interface TestDatabase extends OwnDatabase {
  drop(): Promise<void>;
}

/** Buckets of databases whose test does not say: `npm test -- --buckets 4` sets it. */
export const testBuckets = Number(process.env.TEST_BUCKETS ?? 1);

/** A test of what holds for one bucket only; a run on several skips and lists it. */
export const testOfOneBucket = test.skipIf(testBuckets > 1);

/** A copy of a migrated template, in some 50 ms. */
export async function aDatabase(buckets = testBuckets): Promise<TestDatabase> {
  const server = inject('serverUrl');
  const urlOf = (name: string) => server.replace(/\/[^/]+$/, `/${name}`);
  const admin = connect(server, { max: 2 });
  const template = `template_of_${buckets}`;
  await awaitSessionLock(admin, template, async () => {
    const [made] = await admin`select 1 from pg_database where datname = ${template}`;
    if (!made) await makeTemplate(admin, template, buckets, urlOf);
  });
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await admin.unsafe(`create database ${name} template ${template}`);
  const url = urlOf(name);
  const pool = connect(url, { max: 5, buckets });
  const rows = buckets === 1 ? pool : connect(joinedUrl(url), { max: 5, name: 'rows of a test' });
  return {
    pool,
    rows,
    bucket: pool.inBuckets().at(-1) ?? pool,
    url,
    drop: async () => {
      await Promise.all([pool.end(), rows.end()]);
      await admin.unsafe(`drop database ${name} with (force)`);
      await admin.end();
    },
  };
}

/** Makes the template under another name first: one that was broken off is not taken for it. */
async function makeTemplate(
  admin: Pool,
  template: string,
  buckets: number,
  urlOf: (name: string) => string,
): Promise<void> {
  const unfinished = `unfinished_${template}`;
  await admin.unsafe(`drop database if exists ${unfinished}`);
  await admin.unsafe(`create database ${unfinished}`);
  const pool = connect(urlOf(unfinished), { max: 1, buckets });
  try {
    await migrate(pool);
    if (buckets > 1) await joinBuckets(pool);
  } finally {
    await pool.end();
  }
  await admin.unsafe(`alter database ${unfinished} rename to ${template}`);
}

/** A test file's database, made before and dropped after it. */
export function ownDatabase(buckets?: number): OwnDatabase {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await aDatabase(buckets);
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
