import fc from 'fast-check';
import { beforeEach, expect, test, vi } from 'vitest';
import { connect, type Pool } from '#db/connect.ts';
import type { Alarm } from '#features/alarms/alarms.ts';
import { NoFreeTurn, ProviderRefused, ProviderUnavailable } from '#ports/errors.ts';
import { ownDatabase } from '#testing/database.ts';
import { aClock, aSupporter, forgetEverything } from '#testing/makers.ts';
import { doDueWork, enqueuePass, type Work, type WorkDeps, workOnEverybody } from './do-work.ts';
import { failureTally } from './failure-tally.ts';
import { listFailingWork, listParkedWork, watchWork } from './watch-work.ts';
import { claimDue, markDue, type Pass, recordEnds } from './work-repository.ts';

const database = ownDatabase();
const dueAt = new Date('2026-11-24T17:00:00Z');
const pass: Pass = { kind: 'sync', dueAt, where: (db) => db`closed_on is null` };
const minutes = (count: number) => new Date(dueAt.getTime() + count * 60_000);
let clock: ReturnType<typeof aClock>;
let everybody: string[];
let asked: string[];
/** Errors that the work for a supporter throws. */
let failureOf: (id: string) => Error | undefined;

beforeEach(async () => {
  await forgetEverything(database.pool);
  clock = aClock('2026-11-24T17:00:30Z');
  everybody = [];
  for (let count = 0; count < 40; count += 1) everybody.push((await aSupporter(database.pool)).supporterId);
  everybody.sort();
  asked = [];
  failureOf = () => undefined;
});

const noAnswer = () => new ProviderUnavailable('no answer');
const failing =
  (make: () => Error, ...ids: string[]) =>
  (id: string) =>
    ids.includes(id) ? make() : undefined;
const work: Work = async (id) => {
  asked.push(id);
  await new Promise((resolve) => setTimeout(resolve, 1));
  const failure = failureOf(id);
  if (failure) throw failure;
  return 'asked';
};
const deps = (): WorkDeps => ({ db: database.pool, clock, callsInFlight: 8 });
const works = { sync: work, consent_poll: work };
const look = async (changes: Partial<WorkDeps> = {}) => {
  const { done, failed } = await doDueWork({ ...deps(), ...changes }, works, () => {});
  return { done, failed };
};
const enqueue = (at = dueAt) => enqueuePass(deps(), { ...pass, dueAt: at });
const alarms = () => database.rows<Pick<Alarm, 'name' | 'sentence'>[]>`select name, sentence from alarms order by name`;
const watch = () => watchWork({ db: database.pool, clock, log: { error: () => {} } as never });
const takeAsked = () => asked.splice(0).toSorted();

test('a pass is done for everybody once, however often it is enqueued and looked for', async () => {
  await enqueue();
  await enqueue();
  expect(await look()).toEqual({ done: 40, failed: 0 });
  await enqueue();
  expect(await look()).toEqual({ done: 0, failed: 0 });
  expect(takeAsked()).toEqual(everybody);
  await enqueue(minutes(1));
  clock.setTo('2026-11-24T17:01:00Z');
  expect(await look()).toEqual({ done: 40, failed: 0 });
});

test('nothing is done before it is due', async () => {
  await enqueue(minutes(1));
  expect(await look()).toEqual({ done: 0, failed: 0 });
});

test('more supporters than a page holds are all enqueued', async () => {
  await database.rows`
    insert into supporters (supporter_id, uid, email, first_name, last_name, mobile, tenant_key, club_id, registered_at)
    select gen_random_uuid(), number, number, 'a', 'b', '0400000000', 'default', (select id from clubs limit 1), now()
    from generate_series(1, 1001) as number`;
  await enqueue();
  expect(await look({ callsInFlight: 100 })).toEqual({ done: 1041, failed: 0 });
  expect(new Set(takeAsked()).size).toBe(1041);
});

test('who fails is tried again with growing pauses and keeps nobody else waiting', async () => {
  const poor = everybody[7] ?? '';
  failureOf = failing(() => new ProviderRefused('not this one'), poor);
  await enqueue();
  expect(await look()).toEqual({ done: 39, failed: 1 });
  takeAsked();
  const triedAt: number[] = [];
  for (let minute = 1; minute <= 16; minute += 1) {
    clock.setTo(new Date(minutes(minute).getTime() + 31_000).toISOString());
    if ((await look()).failed > 0) triedAt.push(minute);
  }
  expect(triedAt).toEqual([1, 3, 7, 15]);
  expect(new Set(takeAsked())).toEqual(new Set([poor]));
  failureOf = () => undefined;
  await markDue(database.pool.of(poor), 'sync', poor, clock.now());
  expect(await look()).toEqual({ done: 1, failed: 0 });
  expect(await listFailingWork(database.pool, clock.now())).toEqual([]);
});

test('who has failed for a day is parked, alarmed, shown, and tried with each pass', async () => {
  const poor = everybody[7] ?? '';
  failureOf = failing(() => new ProviderRefused(`no customer ${poor}`), poor);
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
  failureOf = () => undefined;
  await enqueue(minutes(41 * 60));
  clock.setTo(minutes(41 * 60).toISOString());
  await look();
  expect(await listParkedWork(database.pool, clock.now(), 10)).toEqual([]);
});

test('two of forty failing are no alarm, three are', async () => {
  failureOf = failing(noAnswer, ...everybody.slice(0, 2));
  await enqueue();
  await look();
  await watch();
  expect(await alarms()).toEqual([]);
  failureOf = failing(noAnswer, ...everybody.slice(0, 3));
  await enqueue(minutes(1));
  clock.setTo('2026-11-24T17:02:00Z');
  await look();
  await watch();
  expect(await alarms()).toMatchObject([
    { name: 'bank_link_failing', sentence: expect.stringContaining('3 of 40 supporters') },
  ]);
});

test('a bank link that answers nobody is left alone, then asked about one supporter until it is well', async () => {
  failureOf = noAnswer;
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
    { name: 'bank_link_failing', sentence: expect.stringContaining('answered nobody') },
    { name: 'bank_link_failing', sentence: expect.stringContaining('of 40') },
  ]);
  failureOf = () => undefined;
  expect(await look()).toEqual({ done: 40, failed: 0 });
  expect(new Set(takeAsked()).size).toBe(40);
});

const busy = () => new ProviderUnavailable('Too many requests', { isBusy: true });

test('a bank link that takes no more calls is left alone after three of them', async () => {
  failureOf = busy;
  await enqueue();
  await look();
  expect(asked.length).toBeLessThanOrEqual(8 + 2);
});

test('one supporter for whom no call is ever taken keeps nobody waiting and raises no alarm', async () => {
  failureOf = failing(busy, everybody[39] ?? '');
  await enqueue();
  for (let minute = 1; minute <= 60; minute += 1) {
    clock.setTo(minutes(minute).toISOString());
    await look();
    await watch();
    expect(await isOpen()).toBe(false);
  }
  expect(await alarms()).toEqual([]);
});

test('those who failed before say nothing about the bank link', async () => {
  const poor = everybody.slice(0, 30);
  await database.rows`
    insert into supporter_work (supporter_id, kind, due_at, next_try_at, tries, failing_since)
    select id, 'sync', ${dueAt}, ${dueAt}, 1, ${dueAt} from unnest(${poor}::uuid[]) as id`;
  failureOf = failing(noAnswer, ...poor);
  await look();
  await enqueue(minutes(-60));
  expect(await look()).toEqual({ done: 10, failed: 0 });
});

test('what falls due again while it is worked on is done again', async () => {
  const [first = ''] = everybody;
  await markDue(database.pool.of(first), 'sync', first, clock.now());
  const news = async (id: string) => {
    asked.push(id);
    if (asked.length > 1) return 'asked' as const;
    clock.setTo('2026-11-24T17:00:31Z');
    await markDue(database.pool.of(id), 'sync', id, clock.now());
    return 'asked' as const;
  };
  await doDueWork(deps(), { ...works, sync: news }, () => {});
  await look();
  expect(asked).toEqual([first, first]);
});

test('an operator’s pass works on everybody in this process, and leaves out what another has in hand', async () => {
  const [first = ''] = everybody;
  await markDue(database.pool.of(first), 'sync', first, clock.now());
  const { promise: answer, resolve: goOn } = Promise.withResolvers<'asked'>();
  const slow = doDueWork(deps(), { ...works, sync: () => answer }, () => {});
  const inHand = () => database.rows`select from supporter_work where claimed_until is not null`;
  while ((await inHand()).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(await workOnEverybody(deps(), pass, work, () => {})).toMatchObject({ done: 39, failed: 0 });
  expect(takeAsked()).toEqual(everybody.slice(1));
  goOn('asked');
  expect(await slow).toMatchObject({ done: 1, failed: 0 });
  expect(await workOnEverybody(deps(), pass, work, () => {})).toMatchObject({ done: 40, failed: 0 });
});

test('an operator’s pass that nobody is answered in is left to the workers', async () => {
  failureOf = noAnswer;
  await workOnEverybody(deps(), pass, work, () => {});
  expect(takeAsked().length).toBeLessThan(29);
  failureOf = () => undefined;
  clock.setTo('2026-11-24T17:20:00Z');
  await look();
  expect(takeAsked()).toEqual(everybody);
});

test('a fault of ours costs its own supporter a try, is thrown, and keeps nobody else waiting', async () => {
  failureOf = failing(() => new TypeError('of null'), everybody[3] ?? '');
  await enqueue();
  await expect(look()).rejects.toThrow('work failed for 1 supporters');
  expect(takeAsked()).toEqual(everybody);
});

test('a worker that stops claims nothing more', async () => {
  await enqueue();
  const stopping = new AbortController();
  const stop = async (id: string) => {
    asked.push(id);
    stopping.abort();
    return 'asked' as const;
  };
  await doDueWork(deps(), { ...works, sync: stop }, () => {}, stopping.signal);
  expect(asked).toHaveLength(8);
  clock.setTo('2026-11-24T17:00:31Z');
  await look();
  expect(takeAsked()).toEqual(everybody);
});

test('workers that share a pass and are killed at any moment leave nobody out, and repeat what they had in hand alone', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 45 }), { minLength: 1, maxLength: 3 }), async (deaths) => {
      await database.rows`delete from supporter_work`;
      clock.setTo('2026-11-24T17:00:30Z');
      asked = [];
      await enqueue();
      const killed = deaths.map((after, place) => killedAfter(after, `killed worker ${place}`));
      const survivor = look();
      const inHand = (await Promise.all(killed)).reduce((sum, count) => sum + count, 0);
      await survivor;
      clock.setTo('2026-11-24T17:30:00Z');
      await look();
      const times = Map.groupBy(asked, (id) => id);
      expect([...times.keys()].toSorted()).toEqual(everybody);
      expect(asked.length - 40).toBeLessThanOrEqual(inHand);
    }),
    { numRuns: 15 },
  );
});

/** Works with connections of its own until they are cut in the middle; answers how much it may have had in hand. */
async function killedAfter(count: number, name: string): Promise<number> {
  const pool = connect(database.url, { max: 3, name, buckets: database.pool.scope.buckets });
  let begun = 0;
  let isDead = false;
  const dying: Work = async (id) => {
    if (isDead) return new Promise<never>(() => {});
    begun += 1;
    if (begun > count) {
      isDead = true;
      await database.rows`select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${name}`;
      return new Promise<never>(() => {});
    }
    return work(id);
  };
  const run = doDueWork({ db: pool, clock, callsInFlight: 4 }, { ...works, sync: dying }, () => {}).catch(() => {});
  const over = async () => {
    while (!isDead) await new Promise((resolve) => setTimeout(resolve, 2));
  };
  await Promise.race([run, over()]);
  return isDead ? 8 : 0;
}

test('failures are logged by cause, not by supporter', () => {
  const lines: unknown[] = [];
  const tally = failureTally({ warn: (line: unknown) => void lines.push(line) } as never, 'away');
  for (const id of everybody)
    tally.onFailure(id, new ProviderUnavailable(`Basiq answered 503 about ${id}, correlationId x-${id}`));
  for (let cause = 0; cause < 30; cause += 1) tally.onFailure('one', new Error(`cause ${cause} of its own`));
  tally.write();
  tally.write();
  expect(lines).toHaveLength(11);
  expect(lines[0]).toMatchObject({ cause: 'Basiq answered 503 about …', supporters: 40 });
  expect(lines.at(-1)).toMatchObject({ cause: 'other causes', supporters: 21 });
});

const openHalf = async () => {
  await database.rows`
    insert into provider_breakers (provider, opened_at, open_until, times) values ('bank_link', ${dueAt}, ${dueAt}, 1)`;
};
const isOpen = async () => (await database.rows`select 1 from provider_breakers`).length > 0;

test('whoever keeps failing is no probe of the bank link while others wait', async () => {
  const poor = everybody.slice(0, 3);
  await database.rows`
    insert into supporter_work (supporter_id, kind, due_at, next_try_at, tries, failing_since)
    select id, 'sync', ${minutes(-60)}, ${minutes(-60)}, 5, ${minutes(-60)} from unnest(${poor}::uuid[]) as id`;
  await database.rows`
    insert into supporter_work (supporter_id, kind, due_at, next_try_at)
    select id, 'sync', ${dueAt}, ${dueAt} from unnest(${everybody.slice(3)}::uuid[]) as id`;
  failureOf = failing(noAnswer, ...poor);
  await openHalf();
  expect(await look()).toEqual({ done: 37, failed: 3 });
  expect(await isOpen()).toBe(false);
});

test('who fails as the only one due leaves the breaker half open', async () => {
  const [poor = ''] = everybody;
  await database.rows`
    insert into supporter_work (supporter_id, kind, due_at, next_try_at, tries, failing_since)
    values (${poor}, 'sync', ${dueAt}, ${dueAt}, 5, ${dueAt})`;
  failureOf = noAnswer;
  await openHalf();
  expect(await look()).toEqual({ done: 0, failed: 1 });
  const [breaker] = await database.rows`select times from provider_breakers`;
  expect(breaker?.times).toBe(1);
});

test('work without a call to the bank link is no answer of it', async () => {
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

test('an operator’s pass that is given up leaves those alone whom it has done, and counts the others', async () => {
  failureOf = failing(noAnswer, ...everybody.slice(10));
  const { done, failed, leftToWorkers } = await workOnEverybody(deps(), pass, work, () => {});
  expect(done).toBe(10);
  expect(failed).toBeGreaterThanOrEqual(20);
  expect(done + failed + leftToWorkers).toBe(40);
  takeAsked();
  failureOf = () => undefined;
  clock.setTo('2026-11-24T17:20:00Z');
  await look();
  expect(takeAsked()).toEqual(everybody.slice(10));
});

test('news is done again though the clock of its process is behind', async () => {
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

test('news does not put back who waits already', async () => {
  const [first = ''] = everybody;
  await markDue(database.pool.of(first), 'sync', first, minutes(-30));
  await markDue(database.pool.of(first), 'sync', first, minutes(0));
  const [row] = await database.rows`select next_try_at as "nextTryAt" from supporter_work`;
  expect(row?.nextTryAt).toEqual(minutes(-30));
});

test('what was done is recorded although the database fails once meanwhile', async () => {
  await enqueue();
  failureOf = failing(noAnswer, ...everybody.slice(5, 6));
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

/** Returns a database of which some statements fail, by their text and first value. */
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

test('what ended is recorded once the database is back, and nobody is asked again', async () => {
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

test('an error that the database can not keep costs nobody else a try', async () => {
  const poor = everybody[3] ?? '';
  failureOf = failing(() => new ProviderRefused('bad \u0000 byte'), poor);
  await enqueue();
  expect(await look()).toEqual({ done: 39, failed: 1 });
  const rows = await database.rows`select supporter_id as id from supporter_work where tries > 0`;
  expect([...rows]).toEqual([{ id: poor }]);
});

test('ends that can not be recorded together are recorded one by one', async () => {
  await enqueue();
  const fails = (query: string, ids: unknown) => query.includes('with ended as') && (ids as string[]).length > 1;
  expect(await look({ db: flaky(fails) })).toEqual({ done: 40, failed: 0 });
  clock.setTo(minutes(11).toISOString());
  expect(await look()).toEqual({ done: 0, failed: 0 });
});

test('a claim that ran out counts for nothing, also beside the one that came after it', async () => {
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

test('news that comes while a try fails for the last time is done', async () => {
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

test('a worker that never runs out of work comes to an end after a minute', async () => {
  await enqueue();
  const slow: Work = async (id) => {
    asked.push(id);
    if (asked.length === 10) clock.setTo(minutes(2).toISOString());
    return 'asked';
  };
  const { done } = await doDueWork(deps(), { ...works, sync: slow }, () => {}, new AbortController().signal);
  expect(done).toBeGreaterThanOrEqual(10);
  expect(done).toBeLessThan(10 + 8 + 8);
  await look();
  expect(takeAsked()).toEqual(everybody);
});

test('a call that our own limit leaves no turn for costs no try and opens no breaker', async () => {
  const late = new Set(everybody.slice(0, 25));
  failureOf = (id) => (late.delete(id) ? new NoFreeTurn('No call to basiq was free in time.') : undefined);
  await enqueue();
  expect(await look()).toEqual({ done: 40, failed: 25 });
  expect(await isOpen()).toBe(false);
  expect(await listFailingWork(database.pool, clock.now())).toEqual([]);
});

test('a slow supporter keeps nobody waiting who falls due meanwhile', async () => {
  const [slow = '', later = ''] = everybody;
  await markDue(database.pool.of(slow), 'sync', slow, clock.now());
  const { promise: answer, resolve: goOn } = Promise.withResolvers<'asked'>();
  const sync: Work = async (id) => (id === slow ? answer : work(id));
  const stopping = new AbortController();
  const worker = doDueWork(deps(), { ...works, sync }, () => {}, stopping.signal);
  await markDue(database.pool.of(later), 'sync', later, clock.now());
  await vi.waitFor(() => expect(asked).toEqual([later]), 5_000);
  goOn('asked');
  await worker;
});

test('due work that nobody does is an alarm after two hours, but for a bank link that answers nobody', async () => {
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
    { name: 'supporter_work_late', sentence: expect.stringContaining('has not been begun') },
  ]);
});

test('whoever is in no pass any more is no alarm', async () => {
  const [gone = ''] = everybody;
  failureOf = failing(() => new ProviderRefused('no customer'), gone);
  await enqueue();
  for (let minute = 0; minute <= 26 * 60; minute += 30) {
    clock.setTo(minutes(minute).toISOString());
    await look();
  }
  clock.setTo(minutes(49 * 60).toISOString());
  await watch();
  expect(await alarms()).toEqual([]);
});
