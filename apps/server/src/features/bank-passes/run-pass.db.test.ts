import { beforeEach, expect, test } from 'vitest';
import type { Alarm } from '#features/alarms/alarms.ts';
import { ProviderRefused, ProviderUnavailable } from '#ports/errors.ts';
import { ownDatabase } from '#testing/database.ts';
import { aClock, aSupporter, forgetEverything } from '#testing/makers.ts';
import { failureTally } from './failure-tally.ts';
import { listPasses } from './pass-repository.ts';
import { type Pass, PassUnfinished, runPass, watchPasses } from './run-pass.ts';

const database = ownDatabase();
const dueAt = new Date('2026-11-24T17:00:00Z');
let clock: ReturnType<typeof aClock>;
let everybody: string[];
let asked: string[];
let away: (id: string) => boolean;
let kindOfFailure: () => Error;

beforeEach(async () => {
  await forgetEverything(database.pool);
  clock = aClock('2026-11-24T17:00:30Z');
  everybody = [];
  for (let count = 0; count < 40; count += 1) everybody.push((await aSupporter(database.pool)).supporterId);
  everybody.sort();
  asked = [];
  away = () => false;
  kindOfFailure = () => new ProviderUnavailable('no answer');
});

const run = (changes: Partial<Pass> = {}) =>
  runPass(
    { db: database.pool, clock },
    {
      task: 'sync',
      dueAt,
      listAfter: async (after, limit) => everybody.filter((id) => id > after).slice(0, limit),
      work: async (id) => {
        asked.push(id);
        if (away(id)) throw kindOfFailure();
      },
      onFailure: () => {},
      ...changes,
    },
  );
const failing = (...ids: string[]) => {
  away = (id) => ids.includes(id);
};
const alarms = () => database.pool<Pick<Alarm, 'name' | 'sentence'>[]>`select name, sentence from alarms`;
const watch = () => watchPasses({ db: database.pool, clock, log: { error: () => {} } as never });

test('two of forty are left for the next pass, three are not', async () => {
  failing(...everybody.slice(0, 2));
  expect(await run()).toBe(2);
  await watch();
  expect(await alarms()).toEqual([]);
  failing(...everybody.slice(0, 3));
  await expect(run({ dueAt: new Date('2026-11-24T17:00:10Z') })).rejects.toThrow(PassUnfinished);
});

test('a pass that failed for many is not finished, goes on with these alone, and is alarmed once', async () => {
  failing(...everybody.slice(10, 15));
  kindOfFailure = () => new ProviderRefused('not this one');
  await expect(run()).rejects.toThrow('did not answer for 5 of 40 supporters');
  asked = [];
  await expect(run()).rejects.toThrow(PassUnfinished);
  expect(asked).toEqual([]);
  clock.setTo('2026-11-24T17:01:31Z');
  failing(everybody[10] ?? '');
  expect(await run()).toBe(1);
  expect(asked.toSorted()).toEqual(everybody.slice(10, 15));
  await watch();
  expect(await alarms()).toEqual([]);
  failing(...everybody);
  await expect(run({ dueAt: new Date('2026-11-24T17:01:00Z') })).rejects.toThrow(PassUnfinished);
  await watch();
  await watch();
  expect(await alarms()).toMatchObject([{ name: 'bank_link_failing', sentence: expect.stringContaining('40 of 40') }]);
  expect(await listPasses(database.pool)).toMatchObject([{ attempted: 40, failed: 40 }]);
});

test('a bank link that is away is not asked about everybody', async () => {
  failing(...everybody);
  await expect(run()).rejects.toThrow(PassUnfinished);
  expect(asked.length).toBeLessThan(25);
  expect(await run({ dueAt: undefined })).toBe(40);
});

test('a lost database sends no pass back to the first supporter, and the next begins where it came to', async () => {
  everybody = Array.from({ length: 450 }, (_, at) => `00000000-0000-4000-8000-${String(at + 1).padStart(12, '0')}`);
  away = (id) => id === everybody[300];
  kindOfFailure = () => new Error('the database went away');
  await expect(run()).rejects.toThrow('went away');
  expect(asked.slice(0, 200)).toEqual(everybody.slice(0, 200));
  away = () => false;
  asked = [];
  await run();
  expect(asked.toSorted()).toEqual(everybody.slice(200));
  for (const minute of [1, 2]) {
    asked = [];
    await run({ dueAt: new Date(dueAt.getTime() + minute * 60_000) });
    expect([asked.length, asked[0]]).toEqual([450, everybody[0]]);
  }
  away = (id) => id === everybody[300];
  const later = new Date(dueAt.getTime() + 180_000);
  await expect(run({ dueAt: later })).rejects.toThrow('went away');
  away = () => false;
  asked = [];
  await run({ dueAt: new Date(dueAt.getTime() + 240_000) });
  expect([asked.length, new Set(asked).size, asked[0]]).toEqual([450, 450, everybody[200]]);
});

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
