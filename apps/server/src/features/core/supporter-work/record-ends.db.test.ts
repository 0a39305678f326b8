import { expect, test } from 'vitest';
import type { Pool } from '#db/connect.ts';
import { ProviderRefused } from '#ports/errors.ts';
import { doDueWork, type Work } from './do-work.ts';
import { dueWork, failing, minutes, noAnswer } from './testing/due-work.ts';
import { claimDue, markDue, recordEnds } from './work-repository.ts';

const { database, clock, everybody, asked, takeAsked, fail, works, deps, look, enqueue } = dueWork();

/** Returns a database in which some statements fail, by their text and first value. */
const flaky = (fails: (query: string, first: unknown) => boolean, whole = database.pool): Pool =>
  new Proxy(whole, {
    get(pool, name) {
      if (name === 'of') return (id: string) => flaky(fails, pool.of(id));
      if (name === 'inBuckets') return () => pool.inBuckets().map((bucket) => flaky(fails, bucket));
      return Reflect.get(pool, name);
    },
    apply(pool, self, [strings, ...values]) {
      if (Array.isArray(strings) && fails(strings.join('?'), values[0]))
        return Promise.reject(new Error('the connection was lost'));
      return Reflect.apply(pool as never, self, [strings, ...values]);
    },
  });

test('notified work is done again even if the clock of its process is behind', async () => {
  const [first = ''] = everybody;
  await markDue(database.pool.of(first), 'sync', first, clock.now());
  const news: Work = async (id) => {
    asked.push(id);
    if (asked.length === 1) await markDue(database.pool.of(id), 'sync', id, minutes(-5));
    return 'asked';
  };
  await doDueWork(deps(), { ...works, sync: news }, () => {});
  clock.setTo('2026-11-24T17:00:31Z');
  await look();
  expect(asked).toEqual([first, first]);
});

test('a notification does not postpone a supporter who is already waiting', async () => {
  const [first = ''] = everybody;
  await markDue(database.pool.of(first), 'sync', first, minutes(-30));
  await markDue(database.pool.of(first), 'sync', first, minutes(0));
  const [row] = await database.rows`select next_try_at as "nextTryAt" from supporter_work`;
  expect(row?.nextTryAt).toEqual(minutes(-30));
});

test('finished work is recorded although the database fails once in between', async () => {
  await enqueue();
  fail(failing(noAnswer, ...everybody.slice(5, 6)));
  let looks = 0;
  const now = () => {
    looks += 1;
    if (looks === 3) throw new Error('the connection was lost');
    return clock.now();
  };
  await expect(look({ clock: { now } })).rejects.toThrow('the connection was lost');
  const inHand = await database.rows`select from supporter_work where claimed_until is not null`;
  expect(inHand).toEqual([]);
});

test('finished work is recorded once the database is back, without repeating it', async () => {
  await enqueue();
  let failures = 0;
  const fails = (query: string) => {
    if (query.includes('with ended as')) failures += 1;
    return query.includes('with ended as') && failures <= 12;
  };
  await look({ db: flaky(fails) });
  expect(failures).toBeGreaterThan(12);
  clock.setTo(minutes(11).toISOString());
  await look();
  expect(takeAsked()).toEqual(everybody);
});

test('an error that the database cannot store costs nobody else a try', async () => {
  const poor = everybody[3] ?? '';
  fail(failing(() => new ProviderRefused('bad \u0000 byte'), poor));
  await enqueue();
  expect(await look()).toEqual({ done: 39, failed: 1 });
  const rows = await database.rows`select supporter_id as id from supporter_work where tries > 0`;
  expect([...rows]).toEqual([{ id: poor }]);
});

test('outcomes that cannot be recorded together are recorded one by one', async () => {
  await enqueue();
  const fails = (query: string, ids: unknown) => query.includes('with ended as') && (ids as string[]).length > 1;
  expect(await look({ db: flaky(fails) })).toEqual({ done: 40, failed: 0 });
  clock.setTo(minutes(11).toISOString());
  expect(await look()).toEqual({ done: 0, failed: 0 });
});

test('an expired claim counts for nothing, even alongside its successor', async () => {
  const [first = ''] = everybody;
  await markDue(database.pool.of(first), 'sync', first, clock.now());
  const [old] = await claimDue(database.pool.of(first), clock.now(), 1);
  clock.setTo(minutes(11).toISOString());
  const [renewed] = await claimDue(database.pool.of(first), clock.now(), 1);
  if (!old || !renewed) throw new Error('nothing was due');
  const next = { tries: 1, failingSince: minutes(0), nextTryAt: minutes(12), parkedAt: null, lastError: 'too slow' };
  await recordEnds(database.pool.of(first), clock.now(), [{ claim: old, next }, { claim: renewed }]);
  const [row] = await database.rows`select tries, last_error as "lastError", done_at as "doneAt" from supporter_work`;
  expect(row).toEqual({ tries: 0, lastError: null, doneAt: minutes(11) });
});

test('a notification that arrives during the last failing try is handled', async () => {
  const [first = ''] = everybody;
  await markDue(database.pool.of(first), 'sync', first, clock.now());
  const [claim] = await claimDue(database.pool.of(first), clock.now(), 1);
  if (!claim) throw new Error('nothing was due');
  await markDue(database.pool.of(first), 'sync', first, minutes(1));
  const next = { tries: 40, failingSince: minutes(-1500), nextTryAt: null, parkedAt: minutes(1), lastError: 'no' };
  await recordEnds(database.pool.of(first), minutes(1), [{ claim, next }]);
  clock.setTo(minutes(2).toISOString());
  expect(await look()).toEqual({ done: 1, failed: 0 });
});
