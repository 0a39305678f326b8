import { expect, test } from 'vitest';
import { ownDatabase } from '#testing/database.ts';
import { statementLimiter } from './limit-statements.ts';

const database = ownDatabase();

test('its statements end in time, and few of them run concurrently', async () => {
  const db = statementLimiter(300, 2)(database.pool);
  await expect(db`select pg_sleep(60)`).rejects.toMatchObject({ code: '57014' });
  await database.pool`select pg_sleep(0.5)`; // others take their time
  const running = () => db<{ count: number }[]>`
    select count(*)::int as count, pg_sleep(0.05)::text from pg_stat_activity
    where datname = current_database() and state = 'active' and query like '%pg_sleep(0.05)%' group by 2`;
  const counts = await Promise.all(Array.from({ length: 6 }, running));
  expect(Math.max(...counts.map(([row]) => row?.count ?? 0))).toBeLessThanOrEqual(2);
});

test('it reads each bucket, and the whole, and writes nothing', async () => {
  const db = statementLimiter(60_000, 2)(database.pool);
  const schemas = await Promise.all(
    db.inBuckets().map((bucket) => bucket`select current_schemas(false)::text as path`),
  );
  const same = database.pool.inBuckets().map((bucket) => bucket`select current_schemas(false)::text as path`);
  expect(schemas).toEqual(await Promise.all(same));
  expect([...(await db.unsafe('select 1 as one'))]).toEqual([{ one: 1 }]);
  await expect(db`delete from alarms`).rejects.toMatchObject({ code: '25006' });
});
