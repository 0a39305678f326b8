import { beforeEach } from 'vitest';
import type { Alarm } from '#features/core/alarms/alarms.ts';
import { ProviderUnavailable } from '#ports/errors.ts';
import { ownDatabase } from '#testing/database.ts';
import { aClock, aSupporter, forgetEverything } from '#testing/makers.ts';
import { doDueWork, enqueuePass, type Work, type WorkDeps } from '../do-work.ts';
import { watchWork } from '../watch-work.ts';
import type { Pass } from '../work-repository.ts';

export const dueAt = new Date('2026-11-24T17:00:00Z');
export const pass: Pass = { kind: 'sync', dueAt, where: (db) => db`closed_on is null` };
export const minutes = (count: number) => new Date(dueAt.getTime() + count * 60_000);

export const noAnswer = () => new ProviderUnavailable('no answer');

/** Fails the work for some supporters. */
export const failing =
  (make: () => Error, ...ids: string[]) =>
  (id: string) =>
    ids.includes(id) ? make() : undefined;

/** Forty supporters, new before each test of a file, whose work is recorded and may fail. */
export function dueWork() {
  const database = ownDatabase();
  const clock = aClock();
  const everybody: string[] = [];
  const asked: string[] = [];
  let failureOf: (id: string) => Error | undefined;
  beforeEach(async () => {
    await forgetEverything(database.pool);
    clock.setTo('2026-11-24T17:00:30Z');
    everybody.length = 0;
    for (let count = 0; count < 40; count += 1) everybody.push((await aSupporter(database.pool)).supporterId);
    everybody.sort();
    asked.length = 0;
    failureOf = () => undefined;
  });
  const work: Work = async (id) => {
    asked.push(id);
    await new Promise((resolve) => setTimeout(resolve, 1));
    const failure = failureOf(id);
    if (failure) throw failure;
    return 'asked';
  };
  const deps = (): WorkDeps => ({ db: database.pool, clock, callsInFlight: 8 });
  const works = { sync: work, consent_poll: work };
  return {
    database,
    clock,
    /** Ids in order. */
    everybody,
    /** Ids of supporters whose work was done. */
    asked,
    takeAsked: () => asked.splice(0).toSorted(),
    /** Sets the errors that the work for a supporter throws. */
    fail: (errors: typeof failureOf) => {
      failureOf = errors;
    },
    work,
    works,
    deps,
    look: async (changes: Partial<WorkDeps> = {}) => {
      const { done, failed } = await doDueWork({ ...deps(), ...changes }, works, () => {});
      return { done, failed };
    },
    enqueue: (at = dueAt) => enqueuePass(deps(), { ...pass, dueAt: at }),
    alarms: () =>
      database.rows<Pick<Alarm, 'name' | 'sentence'>[]>`select name, sentence from alarms order by name, sentence`,
    watch: () => watchWork({ db: database.pool, clock, log: { error: () => {} } as never }),
  };
}
