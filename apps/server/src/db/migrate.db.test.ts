import { expect, test } from 'vitest';
import { ownDatabase } from '#testing/database.ts';
import { migrate } from './migrate.ts';

const database = ownDatabase();

test('migrating again applies nothing', async () => {
  expect(await migrate(database.pool)).toEqual([]);
});

test('a migration changed after it was applied is refused by name', async () => {
  await database.pool`update migrations set hash = 'other' where name like '0001%'`;
  await expect(migrate(database.pool)).rejects.toThrow(/Migration 0001-.*\.sql was changed/);
});
