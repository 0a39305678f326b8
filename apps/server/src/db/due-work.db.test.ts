import { pausesOf, retryPlans } from '@sparechange/domain/retry-plan';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { ownDatabase } from '#testing/database.ts';
import type { Db } from './connect.ts';
import { afterAttempt, claim, countWaiting, type DueColumns, isFree, pauseAfterNext, startAgain } from './due-work.ts';

const database = ownDatabase();
const now = new Date('2026-11-24T17:00:00Z');
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
const dueErrands = {
  key: ['id'],
  dueAt: 'due_at',
  claimedUntil: 'taken_until',
  parkedAt: 'parked_at',
  tries: 'attempts',
  failingSince: 'failing_since',
  failure: 'failure',
} satisfies DueColumns;

beforeAll(() =>
  database.pool.unsafe(`
    create table public.errands (id int primary key, due_at timestamptz, taken_until timestamptz, parked_at timestamptz,
      attempts int not null default 0, failing_since timestamptz, failure text)`),
);

beforeEach(async () => {
  await database.pool`delete from errands`;
  for (const [id, minutes] of [
    [1, 1],
    [2, 3],
    [3, 2],
    [4, -1],
  ] as const)
    await database.pool`insert into errands (id, due_at) values (${id}, ${minutesAgo(minutes)})`;
});

async function take(db: Db, { limit = 1, at = now } = {}): Promise<number[]> {
  const taken = await db<{ id: number }[]>`
    with ${claim(db, dueErrands, {
      due: db`select id from errands where ${isFree(db, dueErrands, at)}`,
      limit,
      mark: db`update errands work set taken_until = ${at}::timestamptz + interval '10 minutes'`,
    })}
    select id from claimed order by due_at`;
  return taken.map(({ id }) => id);
}

const errand = async (id: number) => {
  const [row] = await database.pool`select * from errands where id = ${id}`;
  return row;
};

test('claims take what is due for longest, once, until the claim lapses', async () => {
  expect(await take(database.pool, { limit: 2 })).toEqual([2, 3]);
  expect(await take(database.pool, { limit: 2 })).toEqual([1]);
  expect(await take(database.pool)).toEqual([]);
  expect(await take(database.pool, { limit: 9, at: minutesAgo(-10) })).toEqual([2, 3, 1, 4]);
});

test('a claim waits for none that is not committed yet', () =>
  database.pool.begin(async (tx) => {
    expect(await take(tx)).toEqual([2]);
    expect(await take(database.pool)).toEqual([3]);
  }));

test('what takes precedence is claimed before what is due for longer', async () => {
  const { pool } = database;
  const [taken] = await pool`
    with ${claim(pool, dueErrands, {
      due: pool`select id from errands where ${isFree(pool, dueErrands, now)}`,
      first: pool`id,`,
      limit: pool`1`,
      mark: pool`update errands work set taken_until = ${now}`,
    })}
    select id from claimed`;
  expect(taken).toEqual({ id: 1 });
});

test('an attempt returns the claim, and starting again forgets the failures', async () => {
  const { pool } = database;
  await take(pool);
  await pool`
    update errands set attempts = 5, failing_since = ${minutesAgo(60)}, failure = 'no answer',
      ${afterAttempt(pool, dueErrands, { dueAt: null, parkedAt: now })}
    where id = 2`;
  const failed = { attempts: 5, failing_since: minutesAgo(60), failure: 'no answer' };
  expect(await errand(2)).toEqual({ id: 2, due_at: null, taken_until: null, parked_at: now, ...failed });
  await pool`update errands set ${startAgain(pool, dueErrands, now)} where id = 2`;
  const fresh = { attempts: 0, failing_since: null, failure: null };
  expect(await errand(2)).toEqual({ id: 2, due_at: now, taken_until: null, parked_at: null, ...fresh });
});

test('columns that a table lacks are not assigned', async () => {
  const { pool } = database;
  await pool`update errands set attempts = 3, failure = 'no answer', taken_until = ${now} where id = 1`;
  await pool`update errands set ${startAgain(pool, { key: ['id'], dueAt: 'due_at' }, now)} where id = 1`;
  expect(await errand(1)).toMatchObject({ due_at: now, attempts: 3, failure: 'no answer', taken_until: now });
});

test('a statement that counts tries chooses the pause of a plan, the longest for all later ones', async () => {
  const { pool } = database;
  const chosen = await pool<{ seconds: number }[]>`
    select extract(epoch from ${pauseAfterNext(pool, retryPlans.codeMail, pool`tries`)})::float8 as seconds
    from generate_series(0, 9) as tries order by tries`;
  const pauses = pausesOf(retryPlans.codeMail).map((pauseMs) => pauseMs / 1_000);
  expect(chosen.map(({ seconds }) => seconds)).toEqual([...pauses, 3_600, 3_600]);
});

test('what waits is counted with the time of the longest', async () => {
  const { pool } = database;
  const waiting = await pool`${countWaiting(pool, dueErrands, 'errands')} from errands where due_at <= ${now}`;
  expect([...waiting]).toEqual([{ name: 'errands', waiting: 3, oldestAt: minutesAgo(3) }]);
});
