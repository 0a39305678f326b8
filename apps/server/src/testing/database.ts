import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, inject } from 'vitest';
import { connect, type Pool } from '#db/connect.ts';
import { migrate } from '#db/migrate.ts';
import { forgetEverything } from './makers.ts';

export interface OwnDatabase {
  readonly pool: Pool;
  readonly url: string;
}

export interface TestDatabase extends OwnDatabase {
  drop(): Promise<void>;
}

/** A copy of the migrated template, in some 50 ms; one of several buckets is migrated by itself, in seconds. */
export async function aDatabase(buckets = 1): Promise<TestDatabase> {
  const template = inject('templateUrl');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const admin = connect(template.replace(/\/[^/]+$/, '/postgres'), { max: 1 });
  await admin.unsafe(`create database ${name} template ${buckets === 1 ? 'template_sparechange' : 'template1'}`);
  const url = template.replace(/\/[^/]+$/, `/${name}`);
  const pool = connect(url, { max: 5, buckets });
  if (buckets > 1) await migrate(pool);
  return {
    pool,
    url,
    drop: async () => {
      await pool.end();
      await admin.unsafe(`drop database ${name} with (force)`);
      await admin.end();
    },
  };
}

/** A test file's database, made before and dropped after it. */
export function ownDatabase(buckets = 1): OwnDatabase {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await aDatabase(buckets);
  });
  afterAll(() => database.drop());
  return {
    get pool() {
      return database.pool;
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
