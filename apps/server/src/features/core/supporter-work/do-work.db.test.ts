import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { ProviderRefused, ProviderUnavailable } from '#ports/errors.ts';
import { doDueWork, type Work, workOnEverybody } from './do-work.ts';
import { failureTally } from './failure-tally.ts';
import { dueWork, failing, minutes, noAnswer, pass } from './testing/due-work.ts';
import { listFailingWork } from './watch-work.ts';
import { markDue } from './work-repository.ts';

const { database, clock, everybody, asked, takeAsked, fail, work, works, deps, look, enqueue } = dueWork();

/** Works with its own connections until they are cut halfway; returns how much it may have had in hand. */
async function killedAfter(count: number, name: string): Promise<number> {
  const pool = database.open(3, name);
  const death = Promise.withResolvers<void>();
  let begun = 0;
  let isDead = false;
  const dying: Work = async (id) => {
    if (isDead) return new Promise<never>(() => {});
    begun += 1;
    if (begun > count) {
      isDead = true;
      await database.rows`select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${name}`;
      await pool.end({ timeout: 0 });
      death.resolve();
      return new Promise<never>(() => {});
    }
    return work(id);
  };
  const run = doDueWork({ db: pool, clock, callsInFlight: 4 }, { ...works, sync: dying }, () => {}).catch(() => {});
  await Promise.race([run, death.promise]);
  if (isDead) return 8;
  await pool.end();
  return 0;
}

test('a pass is done for everybody once, however often it is enqueued or polled', async () => {
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

test('a supporter whose work fails is retried with growing pauses and does not hold up the others', async () => {
  const poor = everybody[7] ?? '';
  fail(failing(() => new ProviderRefused('not this one'), poor));
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
  fail(() => undefined);
  await markDue(database.pool.of(poor), 'sync', poor, clock.now());
  expect(await look()).toEqual({ done: 1, failed: 0 });
  expect(await listFailingWork(database.pool, clock.now())).toEqual([]);
});

test('work that falls due again while in progress is done again', async () => {
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

test("an operator’s pass works on everybody in this process, and leaves out supporters in another process's hand", async () => {
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

test('an operator’s pass without any answers is left to the workers', async () => {
  fail(noAnswer);
  await workOnEverybody(deps(), pass, work, () => {});
  expect(takeAsked().length).toBeLessThan(29);
  fail(() => undefined);
  clock.setTo('2026-11-24T17:20:00Z');
  await look();
  expect(takeAsked()).toEqual(everybody);
});

test('a fault of ours costs its own supporter a try, is thrown, and does not hold up the others', async () => {
  fail(failing(() => new TypeError('of null'), everybody[3] ?? ''));
  await enqueue();
  await expect(look()).rejects.toThrow('work failed for 1 supporter');
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

test('a worker that stops returns unstarted work, without waiting for a slow call', async () => {
  await enqueue();
  const { promise: answer, resolve: goOn } = Promise.withResolvers<'asked'>();
  const sync: Work = async (id) => {
    asked.push(id);
    return answer;
  };
  const claimed = async () => (await database.rows`select from supporter_work where claimed_until is not null`).length;
  const stopping = new AbortController();
  const worker = doDueWork(deps(), { ...works, sync }, () => {}, stopping.signal);
  await vi.waitFor(async () => expect([asked.length, await claimed()]).toEqual([8, 9]), 60_000);
  stopping.abort();
  await vi.waitFor(async () => expect(await claimed()).toBe(8), 60_000);
  goOn('asked');
  await worker;
  expect(asked).toHaveLength(8);
});

test('workers that share a pass and are killed at any moment leave nobody out, and repeat only the work in hand', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 45 }), { minLength: 1, maxLength: 3 }), async (deaths) => {
      await database.rows`delete from supporter_work`;
      clock.setTo('2026-11-24T17:00:30Z');
      asked.length = 0;
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

test('failures are logged by cause, not by supporter', () => {
  const lines: unknown[] = [];
  const tally = failureTally({ warn: (line: unknown) => void lines.push(line) } as never, 'bank sync failed');
  for (const id of everybody)
    tally.onFailure(id, new ProviderUnavailable(`Basiq answered 503 about ${id}, correlationId x-${id}`));
  for (let cause = 0; cause < 30; cause += 1) tally.onFailure('one', new Error(`cause ${cause} of its own`));
  tally.write();
  tally.write();
  expect(lines).toHaveLength(11);
  expect(lines[0]).toMatchObject({ cause: 'Basiq answered 503 about …', supporters: 40 });
  expect(lines.at(-1)).toMatchObject({ cause: 'other causes', supporters: 21 });
});

test('an operator’s pass that is given up skips the supporters already done, and counts the others', async () => {
  fail(failing(noAnswer, ...everybody.slice(10)));
  const { done, failed, leftToWorkers } = await workOnEverybody(deps(), pass, work, () => {});
  expect(done).toBe(10);
  expect(failed).toBeGreaterThanOrEqual(20);
  expect(done + failed + leftToWorkers).toBe(40);
  takeAsked();
  fail(() => undefined);
  clock.setTo('2026-11-24T17:20:00Z');
  await look();
  expect(takeAsked()).toEqual(everybody.slice(10));
});

test('a worker that never runs out of work ends after a minute', async () => {
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

test('a slow supporter does not hold up another whose work falls due', async () => {
  const [slow = '', later = ''] = everybody;
  await markDue(database.pool.of(slow), 'sync', slow, clock.now());
  const { promise: answer, resolve: goOn } = Promise.withResolvers<'asked'>();
  const sync: Work = async (id) => (id === slow ? answer : work(id));
  const stopping = new AbortController();
  const worker = doDueWork(deps(), { ...works, sync }, () => {}, stopping.signal);
  await markDue(database.pool.of(later), 'sync', later, clock.now());
  await vi.waitFor(() => {
    clock.setTo(new Date(clock.now().getTime() + 2_000).toISOString()); // a bucket without work rests for a second
    expect(asked).toEqual([later]);
  }, 60_000);
  goOn('asked');
  await worker;
});
