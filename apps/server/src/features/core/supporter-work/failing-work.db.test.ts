import { expect, test } from 'vitest';
import { NoFreeTurn, ProviderRefused, ProviderUnavailable } from '#ports/errors.ts';
import { doDueWork, type Work } from './do-work.ts';
import { dueAt, dueWork, failing, minutes, noAnswer } from './testing/due-work.ts';
import { countSupporters, listFailingWork, listParkedWork, supportersInWords } from './watch-work.ts';

const { database, clock, everybody, asked, takeAsked, fail, works, deps, look, enqueue, alarms, watch } = dueWork();

const busy = () => new ProviderUnavailable('Too many requests', { isBusy: true });

const openHalf = async () => {
  await database.rows`
    insert into provider_breakers (provider, opened_at, open_until, times) values ('bank_link', ${dueAt}, ${dueAt}, 1)`;
};
const isOpen = async () => (await database.rows`select 1 from provider_breakers`).length > 0;

test('a supporter whose work has failed for a day is parked, alarmed, shown, and tried with each pass', async () => {
  const poor = everybody[7] ?? '';
  fail(failing(() => new ProviderRefused(`no customer ${poor}`), poor));
  await enqueue();
  for (let minute = 0; minute <= 26 * 60; minute += 30) {
    clock.setTo(minutes(minute).toISOString());
    await look();
  }
  const tries = asked.length;
  expect(await listParkedWork(database.pool, clock.now(), 10)).toMatchObject([
    { supporterId: poor, kind: 'sync', lastError: 'The provider refused: no customer …' },
  ]);
  await watch();
  await watch();
  expect(await alarms()).toMatchObject([{ name: 'supporter_work_parked' }]);
  clock.setTo(minutes(40 * 60).toISOString());
  await look();
  expect(asked).toHaveLength(tries);
  await enqueue(minutes(40 * 60));
  expect(await look()).toEqual({ done: 39, failed: 1 });
  expect(await look()).toEqual({ done: 0, failed: 0 });
  fail(() => undefined);
  await enqueue(minutes(41 * 60));
  clock.setTo(minutes(41 * 60).toISOString());
  await look();
  expect(await listParkedWork(database.pool, clock.now(), 10)).toEqual([]);
});

test('two of forty failing raise no alarm, three do', async () => {
  fail(failing(noAnswer, ...everybody.slice(0, 2)));
  await enqueue();
  await look();
  await watch();
  expect(await alarms()).toEqual([]);
  fail(failing(noAnswer, ...everybody.slice(0, 3)));
  await enqueue(minutes(1));
  clock.setTo('2026-11-24T17:02:00Z');
  await look();
  await watch();
  expect(await alarms()).toMatchObject([
    { name: 'bank_link_failing', sentence: expect.stringContaining('3 of 40 supporters') },
  ]);
});

test('supporters are counted only as far as needed to tell that no more than 5 % fail', async () => {
  fail(failing(noAnswer, everybody[0] ?? ''));
  await enqueue();
  await look();
  const [one] = await listFailingWork(database.pool, clock.now());
  expect(one).toMatchObject({ failing: 1, supporters: 21 });
  expect(one && supportersInWords(one)).toBe('more than 20');
  expect(await countSupporters(database.pool, clock.now())).toEqual(new Map([['sync', 40]]));
  await database.rows`
    update supporter_work set tries = 1, failing_since = ${dueAt} where supporter_id = any(${everybody.slice(0, 2)}::uuid[])`;
  const [two] = await listFailingWork(database.pool, clock.now());
  expect(two).toMatchObject({ failing: 2, supporters: 40 });
  expect(two && supportersInWords(two)).toBe('40');
});

test('an unresponsive bank link is left alone, then probed with one supporter until it recovers', async () => {
  fail(noAnswer);
  await enqueue();
  await look();
  expect(takeAsked().length).toBeLessThan(29);
  expect(await look()).toEqual({ done: 0, failed: 0 });
  clock.setTo('2026-11-24T17:01:01Z');
  expect(await look()).toEqual({ done: 0, failed: 1 });
  clock.setTo('2026-11-24T17:01:59Z');
  expect(await look()).toEqual({ done: 0, failed: 0 });
  clock.setTo('2026-11-24T17:06:00Z');
  await watch();
  expect(await alarms()).toMatchObject([
    { name: 'bank_link_failing', sentence: expect.stringContaining('of 40') },
    { name: 'bank_link_failing', sentence: expect.stringContaining('has not answered since') },
  ]);
  fail(() => undefined);
  expect(await look()).toEqual({ done: 40, failed: 0 });
  expect(new Set(takeAsked()).size).toBe(40);
});

test('a bank link that accepts no more calls is left alone after three of them', async () => {
  fail(busy);
  await enqueue();
  await look();
  expect(asked.length).toBeLessThanOrEqual(8 + 2);
});

test('one supporter whose calls are never accepted holds up nobody and raises no alarm', async () => {
  fail(failing(busy, everybody[39] ?? ''));
  await enqueue();
  for (let minute = 1; minute <= 60; minute += 1) {
    clock.setTo(minutes(minute).toISOString());
    await look();
    await watch();
    expect(await isOpen()).toBe(false);
  }
  expect(await alarms()).toEqual([]);
});

test('supporters who failed before prove nothing about the bank link', async () => {
  const poor = everybody.slice(0, 30);
  await database.rows`
    insert into supporter_work (supporter_id, kind, due_at, next_try_at, tries, failing_since)
    select id, 'sync', ${dueAt}, ${dueAt}, 1, ${dueAt} from unnest(${poor}::uuid[]) as id`;
  fail(failing(noAnswer, ...poor));
  await look();
  await enqueue(minutes(-60));
  expect(await look()).toEqual({ done: 10, failed: 0 });
});

test('a supporter who keeps failing does not probe the bank link while others wait', async () => {
  const poor = everybody.slice(0, 3);
  await database.rows`
    insert into supporter_work (supporter_id, kind, due_at, next_try_at, tries, failing_since)
    select id, 'sync', ${minutes(-60)}, ${minutes(-60)}, 5, ${minutes(-60)} from unnest(${poor}::uuid[]) as id`;
  await database.rows`
    insert into supporter_work (supporter_id, kind, due_at, next_try_at)
    select id, 'sync', ${dueAt}, ${dueAt} from unnest(${everybody.slice(3)}::uuid[]) as id`;
  fail(failing(noAnswer, ...poor));
  await openHalf();
  expect(await look()).toEqual({ done: 37, failed: 3 });
  expect(await isOpen()).toBe(false);
});

test('three unanswered probes open the breaker again, even if everybody due has failed before', async () => {
  await database.rows`
    insert into supporter_work (supporter_id, kind, due_at, next_try_at, tries, failing_since)
    select id, 'sync', ${dueAt}, ${dueAt}, 5, ${dueAt} from unnest(${everybody}::uuid[]) as id`;
  fail(noAnswer);
  await openHalf();
  expect(await look()).toEqual({ done: 0, failed: 3 });
  const [breaker] = await database.rows`select times from provider_breakers`;
  expect(breaker?.times).toBe(2);
});

test('a failure of the only supporter due leaves the breaker half open', async () => {
  const [poor = ''] = everybody;
  await database.rows`
    insert into supporter_work (supporter_id, kind, due_at, next_try_at, tries, failing_since)
    values (${poor}, 'sync', ${dueAt}, ${dueAt}, 5, ${dueAt})`;
  fail(noAnswer);
  await openHalf();
  expect(await look()).toEqual({ done: 0, failed: 1 });
  const [breaker] = await database.rows`select times from provider_breakers`;
  expect(breaker?.times).toBe(1);
});

test('work without a call to the bank link does not count as its answer', async () => {
  await enqueue();
  await openHalf();
  const quiet: Work = async (id) => {
    asked.push(id);
    return 'not asked';
  };
  await doDueWork(deps(), { ...works, sync: quiet }, () => {});
  expect(await isOpen()).toBe(true);
  expect(asked).toHaveLength(40);
});

test('a call held back by our own limit costs no try and opens no breaker', async () => {
  const late = new Set(everybody.slice(0, 25));
  fail((id) => (late.delete(id) ? new NoFreeTurn('No call to basiq was free in time.') : undefined));
  await enqueue();
  const looks = [await look(), await look()]; // a bucket whose work is all done rests once
  expect(looks.reduce((sum, { done }) => sum + done, 0)).toBe(40);
  expect(looks.reduce((sum, { failed }) => sum + failed, 0)).toBe(25);
  expect(await isOpen()).toBe(false);
  expect(await listFailingWork(database.pool, clock.now())).toEqual([]);
});

test('due work that nobody does raises an alarm after two hours, unless the bank link does not answer', async () => {
  await enqueue();
  const since = clock.now();
  clock.setTo(new Date(since.getTime() + 7_200_000).toISOString());
  await watch();
  expect(await alarms()).toEqual([]);
  clock.setTo(new Date(since.getTime() + 7_200_001).toISOString());
  await openHalf();
  await watch();
  expect(await alarms()).toMatchObject([{ name: 'bank_link_failing' }]);
  await database.rows`truncate provider_breakers, alarms`;
  await watch();
  expect(await alarms()).toMatchObject([
    { name: 'supporter_work_late', sentence: expect.stringContaining('has not started') },
  ]);
});

test('a supporter who is no longer in any pass raises no alarm', async () => {
  const [gone = ''] = everybody;
  fail(failing(() => new ProviderRefused('no customer'), gone));
  await enqueue();
  for (let minute = 0; minute <= 26 * 60; minute += 30) {
    clock.setTo(minutes(minute).toISOString());
    await look();
  }
  clock.setTo(minutes(49 * 60).toISOString());
  await watch();
  expect(await alarms()).toEqual([]);
});
