import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { StartProblem } from '#errors.ts';
import { standInForCitus, takeCalls } from '#testing/citus-stand-in.ts';
import { ownDatabase } from '#testing/database.ts';
import { aSupporter, uidsInEachBucket } from '#testing/makers.ts';
import { connect, type Pool } from './connect.ts';
import { engines } from './engine.ts';
import { prepareSchema } from './prepare-schema.ts';
import { referenceTables } from './table-homes.ts';

const { citus } = engines;
const database = ownDatabase(2, { isJoined: false });
const [uid = ''] = uidsInEachBucket(2, 1);

let owner: Pool;
beforeAll(async () => {
  await standInForCitus(database.pool);
  owner = database.open(3, 'owner');
});
afterAll(() => owner.end());

/** Opens the database with a setting of a session. */
const withSetting = (setting: string): Pool =>
  connect(`${database.url}?options=${encodeURIComponent(`-c ${setting}`)}`, { max: 2, buckets: 2 });

describe('before anything is changed, the start is refused', () => {
  test.each([
    ['stand_in.is_worker=on', 'DATABASE_URL leads to a worker node of the Citus cluster: give it the coordinator.'],
    [
      'citus.enable_unsafe_triggers=off',
      'The database needs citus.enable_unsafe_triggers=on on every node of the Citus cluster.',
    ],
  ])('with %s', async (setting, because) => {
    const db = withSetting(setting);
    await expect(prepareSchema(db, undefined, citus)).rejects.toThrow(new StartProblem(because));
    await db.end();
    expect(await takeCalls(owner)).toEqual([]);
  });

  test('where the coordinator is no node of its cluster', async () => {
    await owner`update pg_dist_node set groupid = 9 where groupid = 0`;
    await expect(citus.check(owner)).rejects.toThrow('does not list its coordinator');
    await owner`update pg_dist_node set groupid = 0 where groupid = 9`;
  });
});

test('a plain PostgreSQL is refused in a sentence', async () => {
  const elsewhere = connect(database.url.replace(/\/[^/]+$/, '/postgres'), { max: 1 });
  await expect(citus.check(elsewhere)).rejects.toThrow(/has no extension citus: create it on every node/);
  await elsewhere.end();
});

test('a new database has its reference tables made, then its buckets distributed, then their functions; again, nothing', async () => {
  await prepareSchema(owner, database.url, citus);
  const calls = await takeCalls(owner);
  expect(calls.slice(0, 5)).toEqual([
    ...referenceTables.map((table) => `create_reference_table ${table}`),
    'citus_schema_distribute bucket_00',
    'citus_schema_distribute bucket_01',
  ]);
  const routines = calls.slice(5).map((call) => call.replace('create_distributed_function ', ''));
  for (const schema of ['bucket_00', 'bucket_01']) {
    expect(routines).toContain(`${schema}.debit_within`);
    expect(routines).toContain(`${schema}.mark_audit_chains`);
  }
  expect(routines).toContain('public.round_up');
  expect(
    routines.filter((name) => /platform_receivables|club_payable_at|keep_|public\.mark_audit_chains/.test(name)),
  ).toEqual([]);
  await prepareSchema(owner, database.url, citus);
  expect(await takeCalls(owner)).toEqual([]);
});

test('a start that finds all of it done changes no schema, which would need every node', async () => {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  await prepareSchema(database.pool, database.url, citus);
  const sent = query.mock.calls.map(([asked]) =>
    typeof asked === 'string' ? asked : (asked as { text: string }).text,
  );
  query.mockRestore();
  const changes = sent.filter((text) => /^\s*(?:create|drop|alter|grant|revoke|comment)\b/i.test(text));
  expect(changes.filter((text) => !text.startsWith('create table if not exists migrations'))).toEqual([]);
});

describe('keys of buckets to reference tables', () => {
  const broken = ownDatabase(2, { isJoined: false });
  const keys = async () => {
    const listed = await broken.pool<{ key: string }[]>`
      select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) as key from pg_constraint
      where contype = 'f' and confrelid = any(${referenceTables.map((table) => `public.${table}`)}::regclass[]) order by 1`;
    return listed.map(({ key }) => key);
  };

  test('are left out while a reference table is made, and come back with their bucket, also where a start did not end', async () => {
    await standInForCitus(broken.pool);
    const before = await keys();
    expect(before).toContainEqual(expect.stringMatching(/^bucket_01\.supporters .* REFERENCES clubs/));
    const breaking = connect(`${broken.url}?options=${encodeURIComponent('-c stand_in.breaks_off_at=bucket_01')}`, {
      max: 2,
      buckets: 2,
    });
    await expect(prepareSchema(breaking, undefined, citus)).rejects.toThrow('broken off');
    await breaking.end();
    expect(await keys()).toEqual(before.filter((key) => !key.startsWith('bucket_01.')));
    await prepareSchema(broken.pool, broken.url, citus);
    expect(await keys()).toEqual(before);
    const [left] = await broken.pool`select to_regclass('keys_set_aside') as "table"`;
    expect(left).toEqual({ table: null });
  });
});

test('a bucket is listed with its node, and moves to another one by schema, name and port', async () => {
  await aSupporter(owner, { uid });
  const places = async () => (await citus.listBuckets(owner)).map(({ node, size }) => [node, size?.supporters]);
  expect(await places()).toEqual([
    ['east:5432', 1],
    ['west:5433', 0],
  ]);
  await citus.moveBucket(owner, 0, 'west:5433');
  expect(await takeCalls(owner)).toEqual(['citus_schema_move bucket_00 west 5433']);
  expect(await places()).toEqual([
    ['west:5433', 1],
    ['west:5433', 0],
  ]);
});

test.each([
  [0, 'west:5433', 'Bucket 0 is on the node west:5433 already.'],
  [0, 'coordinator:5432', 'The cluster has no node coordinator:5432 that takes buckets; write it as host:port.'],
  [0, 'old:5432', 'The cluster has no node old:5432 that takes buckets; write it as host:port.'],
  [0, 'copy:5432', 'The cluster has no node copy:5432 that takes buckets; write it as host:port.'],
  [7, 'east:5432', 'There is no bucket 7 on a node.'],
])('moving bucket %s to %s is refused', async (bucket, to, because) => {
  await expect(citus.moveBucket(owner, bucket, to)).rejects.toThrow(because);
  expect(await takeCalls(owner)).toEqual([]);
});

describe('a rebalance', () => {
  const states = async (state: string) => {
    await owner`delete from rebalances`;
    await owner`insert into rebalances values (${state})`;
  };

  test('is not waited for where nodes hold equal shares', async () => {
    expect(await citus.rebalance(owner)).toBe('even already');
    expect(await takeCalls(owner)).toEqual(['citus_rebalance_start']);
  });

  test('is begun and waited for', async () => {
    await states('planned');
    expect(await citus.rebalance(owner)).toBe('rebalanced');
    expect(await takeCalls(owner)).toEqual(['citus_rebalance_start', 'citus_rebalance_wait']);
  });

  test('that is under way is waited for, and no second one is begun', async () => {
    await states('running');
    expect(await citus.rebalance(owner)).toBe('rebalanced');
    expect(await takeCalls(owner)).toEqual(['citus_rebalance_wait']);
  });

  test('that failed is said', async () => {
    await states('running');
    const failing = withSetting('stand_in.outcome=failed');
    await expect(citus.rebalance(failing)).rejects.toThrow('The rebalance is failed;');
    expect(await takeCalls(owner)).toEqual(['citus_rebalance_wait']);
    await failing.end();
  });
});

test('a bucket that has supporters before it is distributed is refused, and nothing is changed', async () => {
  await owner`delete from pg_dist_schema`;
  await expect(citus.distribute(owner)).rejects.toThrow(
    new StartProblem('DATABASE_ENGINE=citus begins with a new database, and bucket_00 of this one has supporters.'),
  );
  expect(await takeCalls(owner)).toEqual([]);
});
