import { bucketOf } from '@sparechange/domain/bucket';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { StartProblem } from '#errors.ts';
import { ownDatabase } from '#testing/database.ts';
import { aClub, aSupporter, uidsInEachBucket } from '#testing/makers.ts';
import { connect, type Db, type Pool } from './connect.ts';
import { migrate } from './migrate.ts';
import { grantProductRole } from './product-role.ts';
import { bucketTables, sharedTables } from './table-homes.ts';

const whole = ownDatabase();
const divided = ownDatabase(4);

/** One connection: each statement follows one of another bucket. */
let pool: Pool;
beforeAll(() => {
  pool = connect(divided.url, { max: 1, buckets: 4 });
});
afterAll(() => pool.end());

/** Describes tables, indexes, constraints, triggers, views and functions of a schema, without its name. */
async function describeSchema(db: Db, schema: string): Promise<string[]> {
  const rows = await db<{ line: string }[]>`
    with class as (
      select oid, relname, relkind from pg_class where relnamespace = ${schema}::regnamespace and relkind in ('r', 'p', 'v', 'i')
    ), line as (
      select relname || '.' || attname || ' ' || format_type(atttypid, atttypmod) || case when attnotnull then ' not null' else '' end
        || coalesce(' default ' || pg_get_expr(adbin, adrelid), '') || attidentity::text as line
      from class join pg_attribute on attrelid = class.oid and attnum > 0 and not attisdropped
      left join pg_attrdef on adrelid = attrelid and adnum = attnum where relkind <> 'i'
      union all select pg_get_indexdef(oid) from class where relkind = 'i'
      union all select pg_get_viewdef(oid) from class where relkind = 'v'
      union all select relname || ' ' || conname || ' ' || pg_get_constraintdef(pg_constraint.oid)
      from pg_constraint join class on class.oid = conrelid
      union all select pg_get_triggerdef(pg_trigger.oid) from pg_trigger join class on class.oid = tgrelid where not tgisinternal
      union all select proname || pg_get_function_arguments(oid) || prosrc || proconfig::text || prosecdef
      from pg_proc where pronamespace = ${schema}::regnamespace
    )
    select regexp_replace(line, ${`\\m(${schema}|public)(\\.|, )`}, '', 'g') as line from line where line is not null order by 1`;
  return rows.map(({ line }) => line);
}

test('a bucket has the same supporter tables as one schema for everybody, and all buckets are alike', async () => {
  const [everything, control, ...buckets] = [
    await describeSchema(whole.pool, 'public'),
    await describeSchema(pool, 'public'),
    ...(await Promise.all([0, 1, 2, 3].map((number) => describeSchema(pool, `bucket_0${number}`)))),
  ];
  const [first, ...others] = buckets;
  for (const other of others) expect(other).toEqual(first);
  expect((first ?? []).filter((line) => !everything.includes(line))).toEqual([]);
  const both = new Set([...control, ...(first ?? [])]);
  expect(everything.filter((line) => !both.has(line))).toEqual([]);
});

test('migrating again applies nothing', async () => {
  expect(await migrate(divided.pool)).toEqual([]);
});

test('a database opened with another number of buckets than it was made with is refused', async () => {
  for (const [database, buckets] of [
    [divided, 1],
    [divided, 16],
    [whole, 4],
  ] as const) {
    const wrong = connect(database.url, { max: 2, buckets });
    await expect(migrate(wrong)).rejects.toThrow(/was made with [14] buckets of supporters and cannot be opened with/);
    await wrong.end();
  }
});

test('of concurrent first starts with different numbers of buckets one makes the database, and the others are refused', async () => {
  const admin = connect(inject('serverUrl'), { max: 1 });
  const name = 'first_starts_at_once';
  const url = inject('serverUrl').replace(/\/[^/]+$/, `/${name}`);
  for (const numbers of [
    [1, 4],
    [4, 1, 1],
  ]) {
    await admin.unsafe(`create database ${name}`);
    const pools = numbers.map((buckets) => connect(url, { max: 2, buckets }));
    const starts = await Promise.allSettled(pools.map((each) => migrate(each)));
    const refusals = starts.flatMap((start) => (start.status === 'rejected' ? [start.reason as unknown] : []));
    for (const refusal of refusals) expect(refusal).toBeInstanceOf(StartProblem);
    const opened = new Set(numbers.filter((_, place) => starts[place]?.status === 'fulfilled'));
    expect([...opened]).toHaveLength(1);
    const [made] = await (pools[0] as Pool)<{ buckets: number }[]>`
      select count(*)::int as buckets from pg_class where relname = 'supporters' and relkind = 'r'`;
    expect([...opened]).toEqual([made?.buckets]);
    await Promise.all(pools.map((each) => each.end()));
    await admin.unsafe(`drop database ${name}`);
  }
  await admin.end();
});

test.each([
  [1, 4, /^A first start with BUCKETS=1 was broken off .* Set BUCKETS=1 to finish it/],
  [4, 1, /was made with 4 buckets/],
])(
  'a first start with BUCKETS=%i that was broken off and begins again with %i reads which number to set',
  async (begun, other, words) => {
    const admin = connect(inject('serverUrl'), { max: 1 });
    const name = 'first_start_broken_off';
    const url = inject('serverUrl').replace(/\/[^/]+$/, `/${name}`);
    await admin.unsafe(`create database ${name}`);
    const start = async (buckets: number) => {
      const pool = connect(url, { max: 2, buckets });
      await migrate(pool).finally(() => pool.end());
    };
    const database = connect(url, { max: 1 });
    await database.unsafe('create table clubs (broken int)'); // ends the start at its third file
    await expect(start(begun)).rejects.toThrow('relation "clubs" already exists');
    await database.unsafe('drop table clubs');
    await database.end();
    await expect(start(other)).rejects.toThrow(words);
    await start(begun);
    await admin.unsafe(`drop database ${name}`);
    await admin.end();
  },
);

describe('a start', () => {
  const start = async (url: string) => {
    const db = connect(url, { max: 2, buckets: 4 });
    await migrate(db).finally(() => db.end());
  };
  /** Lets a statement change what the database says of its buckets while a start is tried; returns what that says. */
  const startWith = async (change: string, changeBack: string): Promise<unknown> => {
    await divided.pool.unsafe(change);
    try {
      return await start(divided.url).catch((error: unknown) => error);
    } finally {
      await divided.pool.unsafe(changeBack);
    }
  };

  test('of a database with buckets on other servers is refused with what brings them back', async () => {
    const said = await startWith(
      `update bucket_servers set server = 'west' where bucket in (1, 3)`,
      `update bucket_servers set server = 'control'`,
    );
    expect(said).toBeInstanceOf(StartProblem);
    expect((said as Error).message).toMatch(/\(bucket 1, 3; west\): .* \(ops buckets move 1 control\)\.$/);
  });

  test('of a database whose bucket is on its way to another server is refused', async () => {
    const said = await startWith(
      `alter table bucket_servers add column moving_to text; update bucket_servers set moving_to = 'west' where bucket = 2`,
      'alter table bucket_servers drop column moving_to',
    );
    expect(said).toBeInstanceOf(StartProblem);
    expect((said as Error).message).toMatch(/\(bucket 2; west\)/);
  });

  test('of a database that was restored without a bucket is refused', async () => {
    const said = await startWith('alter schema bucket_02 rename to away', 'alter schema away rename to bucket_02');
    expect(said).toEqual(
      new StartProblem('The database has no bucket_02, which it was made with: restore all of its schemas.'),
    );
  });

  test('that ended before it recorded the buckets is done again', async () => {
    await divided.pool`delete from bucket_servers`;
    await start(divided.url);
    expect((await divided.pool`select from bucket_servers where server = 'control'`).count).toBe(4);
  });

  test('says why the database refuses it or cannot be reached, without its password', async () => {
    const missing = `${divided.url}_missing`;
    await expect(start(missing)).rejects.toThrow(
      `The database server cannot be used: database "${new URL(missing).pathname.slice(1)}" does not exist.`,
    );
    await expect(start('postgres://nobody:secret@127.0.0.1:1/none')).rejects.toThrow(
      /^The database server cannot be used: connect ECONNREFUSED 127\.0\.0\.1:1\.$/,
    );
  });
});

test('the product has the same rights in a bucket as in one schema for everybody, and no others', async () => {
  const role = 'product_of_buckets';
  await whole.pool.unsafe(`create role ${role}`);
  const rightsIn = async (db: Pool, schema: string) => {
    await grantProductRole(db, role);
    const rights = await db<{ name: string; rights: string }[]>`
      select relname as name, relacl::text as rights from pg_class
      where relnamespace = ${schema}::regnamespace and relname = any(${[...bucketTables, ...sharedTables]}) order by 1`;
    await db.unsafe(`drop owned by ${role}`);
    return [...rights];
  };
  const usual = await rightsIn(whole.pool, 'public');
  expect(usual.map(({ name }) => name)).toEqual([...bucketTables, ...sharedTables].sort());
  expect(await rightsIn(divided.pool, 'bucket_03')).toEqual(usual);
  await whole.pool.unsafe(`drop role ${role}`);
});

describe('a handle that is bound to a bucket', () => {
  const idsIn = async (db: Db) =>
    (await db<{ id: string }[]>`select supporter_id as id from supporters order by 1`).map(({ id }) => id);
  let ids: string[];
  beforeAll(async () => {
    const clubId = await aClub(pool);
    const made = uidsInEachBucket(4, 3).map((uid) => aSupporter(pool, { clubId, uid }));
    ids = (await Promise.all(made)).map(({ supporterId }) => supporterId).sort();
  });
  const idsOf = (bucket: number) => ids.filter((id) => bucketOf(id, 4) === bucket);

  test('sees its supporters alone, also on a shared connection', async () => {
    const seen = await Promise.all([...pool.inBuckets(), ...pool.inBuckets()].map(idsIn));
    expect(seen).toEqual([0, 1, 2, 3, 0, 1, 2, 3].map(idsOf));
    expect(await idsIn(pool.of(ids[0] ?? ''))).toContain(ids[0]);
    await expect(idsIn(pool)).rejects.toThrow('relation "supporters" does not exist');
    const failing = pool.of(ids[0] ?? '')`select from hidden`;
    await expect(failing).rejects.toMatchObject({ code: '42P01', searchPath: 'bucket_00, public' });
  });

  test('keeps to its bucket in a transaction, which may turn to another one', async () => {
    const [low = '', high = ''] = [ids[0], ids.at(-1)];
    await pool.of(low).begin(async (tx) => {
      await tx`update supporters set referrer = 'a' where supporter_id = ${low}`;
      expect(await tx.of(high)`update supporters set referrer = 'b' where supporter_id = ${high}`).toMatchObject({
        count: 1,
      });
      expect(await idsIn(tx)).toEqual(idsOf(0));
    });
    expect(await idsIn(pool.of(high))).toEqual(idsOf(3));
  });

  test('keeps to its bucket after a transaction was rolled back', async () => {
    const [low = '', high = ''] = [ids[0], ids.at(-1)];
    const failing = pool.of(low).begin(async (tx) => {
      await idsIn(tx.of(high));
      throw new Error('half-way');
    });
    await expect(failing).rejects.toThrow('half-way');
    expect(await idsIn(pool.of(high))).toEqual(idsOf(3));
    expect(await idsIn(pool.of(low))).toEqual(idsOf(0));
  });

  test('keeps to its bucket after a statement failed', async () => {
    const [low = '', high = ''] = [ids[0], ids.at(-1)];
    for (const failing of [
      (db: Db) => db`select 1 / 0`,
      (db: Db) => db`select from hidden`,
      (db: Db) => db.unsafe('select 1 / 0'),
    ]) {
      await idsIn(pool.of(low));
      await expect(failing(pool.of(high))).rejects.toThrow();
      expect(await idsIn(pool.of(high))).toEqual(idsOf(3));
      expect(await idsIn(pool.of(low))).toEqual(idsOf(0));
    }
    await idsIn(pool.of(low));
    const [failed, seen] = await Promise.allSettled([pool.of(high)`select 1 / 0`, idsIn(pool.of(high))]);
    expect(failed.status).toBe('rejected');
    expect(seen).toMatchObject({ value: idsOf(3) });
  });

  test('keeps to its bucket after a session set its own search path', async () => {
    const [low = ''] = ids;
    const session = await pool.of(low).reserve();
    const seen = await idsIn(session);
    await session`set search_path to public`;
    session.release();
    expect(seen).toEqual(idsOf(0));
    expect(await idsIn(pool.of(low))).toEqual(idsOf(0));
  });

  test('reads pages of its bucket while others are asked', async () => {
    const several = connect(divided.url, { max: 2, buckets: 4 });
    const [first, last] = [several.inBuckets()[0] as Pool, several.inBuckets()[3] as Pool];
    const read: string[] = [];
    for await (const page of first<{ id: string }[]>`select supporter_id as id from supporters order by 1`.cursor(1)) {
      expect(await idsIn(last)).toEqual(idsOf(3));
      read.push(...page.map(({ id }) => id));
    }
    expect(read).toEqual(idsOf(0));
    await several.end();
  });

  test('prepares a statement once for each bucket, and sends no search path that its connection has', async () => {
    const one = connect(divided.url, { max: 1, buckets: 4 });
    for (let times = 0; times < 3; times += 1) for (const db of one.inBuckets()) await idsIn(db);
    const session = await one.reserve();
    const prepared = await session<{ name: string; uses: number }[]>`
      select right(name, -40) as name, generic_plans + custom_plans as uses
      from pg_prepared_statements where statement like '%from supporters order by 1' order by 1`;
    session.release();
    await one.end();
    expect(prepared).toEqual([0, 1, 2, 3].map((number) => ({ name: `bucket_0${number}, public`, uses: 3 })));
  });
});
