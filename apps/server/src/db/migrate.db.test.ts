import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { StartProblem } from '#errors.ts';
import { ownDatabase } from '#testing/database.ts';
import { isMigrated, migrate } from './migrate.ts';

const database = ownDatabase();

test('migrating again applies nothing', async () => {
  expect(await migrate(database.pool)).toEqual([]);
});

test('a database that is up to date is known as such while another process holds the lock', async () => {
  const other = await database.pool.reserve();
  await other`select pg_advisory_lock(hashtext('sparechange.move buckets'))`;
  expect(await isMigrated(database.pool)).toBe(true);
  expect(await migrate(database.pool)).toEqual([]);
  await other`select pg_advisory_unlock(hashtext('sparechange.move buckets'))`;
  other.release();
});

test.each([
  ['one is missing', `delete from migrations where name like '%_operations.sql'`],
  ['one was edited', `update migrations set hash = 'other' where name like '%_operations.sql'`],
])('a database is not up to date where %s', async (_what, change) => {
  const kept = await database.pool<{ name: string; hash: string }[]>`
    select name, hash from migrations where name like '%_operations.sql'`;
  await database.pool.unsafe(change);
  expect(await isMigrated(database.pool)).toBe(false);
  for (const { name, hash } of kept)
    await database.pool`
      insert into migrations (name, hash) values (${name}, ${hash}) on conflict (name) do update set hash = excluded.hash`;
  expect(await isMigrated(database.pool)).toBe(true);
});

describe('a database of another version', () => {
  const earlier = ownDatabase();

  test('of an earlier one is refused in one sentence, and nothing is changed', async () => {
    const { pool } = earlier;
    await pool`update migrations set name = '0001-identity.sql' where name like '%_identity.sql'`;
    await pool`delete from migrations where name like '%_operations.sql'`;
    const seen = () => pool`select (select jsonb_agg(m order by name) from migrations m) as applied,
      (select count(*) from pg_class) as relations`;
    const before = await seen();
    const refused = migrate(pool);
    await expect(refused).rejects.toThrow(StartProblem);
    await expect(refused).rejects.toThrow(
      /^The database was made by an earlier version \(0001-identity\.sql\), [^.]+\.$/,
    );
    expect([...(await seen())]).toEqual([...before]);
  });

  test('of a later one is left as it is', async () => {
    await database.pool`insert into migrations (name, hash) values ('20990101000000_later.sql', '')`;
    expect(await migrate(database.pool)).toEqual([]);
  });
});

describe('a migration outside a transaction', () => {
  const own = ownDatabase();
  const text = `-- outside a transaction: many rows
drop index concurrently if exists supporters_by_name;
create index concurrently supporters_by_name on supporters (first_name);
`;

  let below: string;
  beforeAll(async () => {
    below = await mkdtemp(join(tmpdir(), 'sparechange-migrations-'));
    await cp(new URL('./migrations/', import.meta.url), below, { recursive: true });
    await writeFile(join(below, '20990101000000_names.sql'), text);
  });
  afterAll(() => rm(below, { recursive: true }));

  test('is applied once by processes that start together, while the product writes', async () => {
    const { pool } = own;
    const writer = await pool.reserve();
    await writer`begin`;
    await writer`update supporters set first_name = first_name`;
    const started = [1, 2].map(() => migrate(pool, { lockMs: 100, tries: 1, pauseMs: 10 }, below));
    await wait(300);
    expect([...(await pool`update supporters set first_name = first_name`)]).toEqual([]);
    await writer`commit`;
    writer.release();
    expect((await Promise.all(started)).flat()).toEqual(['20990101000000_names.sql']);
    const [index] =
      await pool`select indisvalid as valid from pg_index where indexrelid = 'supporters_by_name'::regclass`;
    expect(index).toEqual({ valid: true });
    expect(
      await pool`select 1 from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`,
    ).toHaveLength(0);
  });

  test('is run again where it was not recorded', async () => {
    const { pool } = own;
    await pool`delete from migrations where name like '2099%'`;
    expect(await migrate(pool, undefined, below)).toEqual(['20990101000000_names.sql']);
  });
});

test('a migration changed after it was applied is refused by name', async () => {
  await database.pool`update migrations set hash = 'other' where name like '%_identity.sql'`;
  await expect(migrate(database.pool)).rejects.toThrow(/Migration \d{14}_identity\.sql was changed/);
});
