import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { loseLocks, ownDatabase } from '#testing/database.ts';
import { connect } from './connect.ts';
import { awaitSessionLock, withSessionLock } from './session-lock.ts';

const database = ownDatabase();

test('the work is done and its result answered', async () => {
  expect(await withSessionLock(database.pool, 'work', async () => 'done')).toBe('done');
});

test('while one process holds a lock another one does not do the work', async () => {
  await withSessionLock(database.pool, 'work', async () => {
    const other = connect(database.url, { max: 1 });
    let isDone = false;
    const answer = await withSessionLock(other, 'work', async () => {
      isDone = true;
    });
    await other.end();
    expect([answer, isDone]).toEqual([undefined, false]);
  });
});

test('locks of other names do not exclude each other', async () => {
  const inner = await withSessionLock(database.pool, 'one', () =>
    withSessionLock(database.pool, 'other', async () => 'done'),
  );
  expect(inner).toBe('done');
});

test('the lock is free again after the work, also when it failed', async () => {
  const failing = withSessionLock(database.pool, 'work', async () => {
    throw new Error('half-way');
  });
  await expect(failing).rejects.toThrow('half-way');
  expect(await withSessionLock(database.pool, 'work', async () => 'done')).toBe('done');
});

test('a process that is killed leaves no lock behind', async () => {
  const killed = connect(database.url, { max: 1 });
  const [session] = await killed<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const [held] = await killed<{ held: boolean }[]>`select pg_try_advisory_lock(hashtext('work')) as held`;
  expect(held?.held).toBe(true);
  expect(await withSessionLock(database.pool, 'work', async () => 'done')).toBeUndefined();
  await database.pool`select pg_terminate_backend(${session?.pid ?? 0}, 5000)`;
  expect(await withSessionLock(database.pool, 'work', async () => 'done')).toBe('done');
  await killed.end().catch(() => {});
});

test('work sees that its lock is lost, and does not count as done', async () => {
  const seen: boolean[] = [];
  const work = async (lost: AbortSignal) => {
    seen.push(lost.aborted);
    await loseLocks(database.pool);
    seen.push(lost.aborted);
    expect(await withSessionLock(database.pool, 'work', async () => 'by another process')).toBe('by another process');
  };
  for (const hold of [withSessionLock, awaitSessionLock])
    await expect(hold(database.pool, 'work', work)).rejects.toThrow('terminating connection');
  expect(seen).toEqual([false, true, false, true]);
});

test('of many concurrent processes exactly one does the work', async () => {
  let done = 0;
  let refused = 0;
  const { promise: othersWereRefused, resolve } = Promise.withResolvers<void>();
  const work = async () => {
    done += 1;
    await othersWereRefused;
    return true;
  };
  const program = async () => {
    if (await withSessionLock(database.pool, 'work', work)) return;
    refused += 1;
    if (refused === 3) resolve();
  };
  await Promise.all([1, 2, 3, 4].map(program));
  expect([done, refused]).toEqual([1, 3]);
});

test('those who wait for their turn have it one after another, also after one that failed', async () => {
  const order: string[] = [];
  const program = (name: string) =>
    awaitSessionLock(database.pool, 'work', async () => {
      order.push(`${name} begins`);
      await database.pool`select pg_sleep(0.01)`;
      order.push(`${name} ends`);
      if (name === 'one') throw new Error('half-way');
    });
  await Promise.allSettled(['one', 'other'].map(program));
  expect(order).toHaveLength(4);
  for (const at of [0, 2]) expect(order[at + 1]).toBe(order[at]?.replace('begins', 'ends'));
});

test('those who wait for their turn leave the connections to the one whose turn it is', async () => {
  const program = connect(database.url, { max: 2 });
  const work = () => program.begin((tx) => tx`select 1`);
  try {
    const all = Promise.all([1, 2, 3].map(() => awaitSessionLock(program, 'work', work)));
    expect(await Promise.race([all, setTimeout(3_000, 'they wait for each other')])).toHaveLength(3);
  } finally {
    await program.end({ timeout: 0.1 });
  }
});

test('waiting for a lock does not prevent an index from being built', async () => {
  const [holder, waiter] = [database.open(1), database.open(1)];
  let isFree = () => {};
  const free = new Promise<void>((resolve) => {
    isFree = resolve;
  });
  const held = awaitSessionLock(holder, 'a lock', () => free);
  const waiting = awaitSessionLock(waiter, 'a lock', async () => 'had its turn');
  await database.pool`create table things (id int)`;
  await database.pool.unsafe('create index concurrently things_by_id on things (id)');
  isFree();
  await held;
  expect(await waiting).toBe('had its turn');
  for (const pool of [holder, waiter]) await pool.end();
});
