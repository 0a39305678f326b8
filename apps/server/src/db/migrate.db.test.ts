import { describe, expect, test } from 'vitest';
import { StartProblem } from '#errors.ts';
import { ownDatabase } from '#testing/database.ts';
import { migrate } from './migrate.ts';

const database = ownDatabase();

test('migrating again applies nothing', async () => {
  expect(await migrate(database.pool)).toEqual([]);
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

test('a migration changed after it was applied is refused by name', async () => {
  await database.pool`update migrations set hash = 'other' where name like '%_identity.sql'`;
  await expect(migrate(database.pool)).rejects.toThrow(/Migration \d{14}_identity\.sql was changed/);
});
