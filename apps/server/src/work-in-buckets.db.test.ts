import * as contract from '@sparechange/contract';
import { bucketOf } from '@sparechange/domain/bucket';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Db, Pool } from '#db/connect.ts';
import { rowsOf, sumsOf } from '#db/in-each-bucket.ts';
import { runDebits } from '#features/collections/debits/run-debits.ts';
import { handleNotifications } from '#features/collections/webhooks/handle-notifications.ts';
import { doDueWork, enqueuePass, type Work, workOnEverybody } from '#features/core/supporter-work/do-work.ts';
import { findOldestUntried, listFailingWork } from '#features/core/supporter-work/watch-work.ts';
import { countInHand, markDue } from '#features/core/supporter-work/work-repository.ts';
import { exportSupporter } from '#features/supporters/offboarding/export-supporter.ts';
import { runConsents } from '#features/supporters/offboarding/run-consents.ts';
import { searchSupporters } from '#features/supporters/profiles/search-supporters.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { syncPass } from '#features/supporters/round-ups/sync-purchases.ts';
import { ProviderUnavailable } from '#ports/errors.ts';
import type { Provider } from '#ports/notifier.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { whileTableFails } from '#testing/disturbed-buckets.ts';
import { aPurchase, forgetEverything, type TestSupporter, uidsInEachBucket } from '#testing/makers.ts';

const buckets = 4;
const api = ownApp({}, {}, buckets, { isJoined: false });
const each = 3;
let people: TestSupporter[];
const idsOf = (bucket: number) =>
  people.map(({ supporterId }) => supporterId).filter((id) => bucketOf(id, buckets) === bucket);

beforeEach(async () => {
  await forgetEverything(api.db);
  api.clock.setTo('2026-11-24T22:00:00Z');
  people = [];
  for (const uid of uidsInEachBucket(buckets, each)) people.push(await api.supporter({ uid }));
});

const nobodyFails = (_id: string, error: Error) => {
  throw error;
};
const asked: string[] = [];
const takeAsked = () => asked.splice(0).toSorted();
const work: Work = async (id) => {
  asked.push(id);
  await new Promise((resolve) => setTimeout(resolve, 1));
  return 'asked';
};
const everybody = () => people.map(({ supporterId }) => supporterId).toSorted();

/** Makes statements about bucket 2's table fail during work. */
const whileBucketFails = (table: string, during: () => Promise<void>) =>
  whileTableFails(api.db.inBuckets()[2], table, during);

describe('supporters’ work', () => {
  const look = () => doDueWork({ ...api, callsInFlight: 2 }, { sync: work, consent_poll: work }, nobodyFails);
  const enqueue = () => enqueuePass(api, { ...syncPass, dueAt: api.clock.now() });

  test('is done once for everybody by two workers', async () => {
    expect(await enqueue()).toEqual({ supporters: buckets * each });
    expect(await findOldestUntried(api.db, api.clock.now())).toEqual(api.clock.now());
    const { promise: bothWork, resolve: goOn } = Promise.withResolvers<void>();
    const begun = new Set<Pool>();
    const workBeside = async (db: Pool) => {
      const sync: Work = async (id) => {
        if (begun.add(db).size === 2) goOn();
        await bothWork;
        return work(id);
      };
      return doDueWork({ ...api, db, callsInFlight: 2 }, { sync, consent_poll: work }, nobodyFails);
    };
    const other = api.database.open(3);
    const reports = await Promise.all([workBeside(api.db), workBeside(other)]).finally(() => other.end());
    expect(sumsOf(reports.map(({ done, failed }) => ({ done, failed })))).toEqual({ done: people.length, failed: 0 });
    expect(takeAsked()).toEqual(everybody());
    expect(await findOldestUntried(api.db, api.clock.now())).toBeUndefined();
  });

  test('continues past a bucket that fails, which is thrown, and is done once it is back', async () => {
    await enqueue();
    await whileBucketFails('supporter_work', () => expect(look()).rejects.toThrow('supporter_work" does not exist'));
    expect(takeAsked()).toEqual(everybody().filter((id) => !idsOf(2).includes(id)));
    expect(await look()).toMatchObject({ done: each });
    expect(takeAsked()).toEqual(idsOf(2).toSorted());
  });

  test('is marked everywhere but in a bucket that fails, which is thrown', async () => {
    await whileBucketFails('supporter_work', () => expect(enqueue()).rejects.toThrow('does not exist'));
    expect(await look()).toMatchObject({ done: (buckets - 1) * each });
    expect(await enqueue()).toEqual({ supporters: each });
  });

  test('opens one breaker for all buckets, and is counted over them', async () => {
    await enqueue();
    const failing: Work = async (id) => {
      asked.push(id);
      throw new ProviderUnavailable('Too many requests', { isBusy: true });
    };
    const deps = { ...api, callsInFlight: 1 };
    const failed: string[] = [];
    await doDueWork(deps, { sync: failing, consent_poll: failing }, (id) => void failed.push(id));
    expect(failed).toHaveLength(3);
    expect(new Set(failed.map((id) => bucketOf(id, buckets))).size).toBe(3);
    const [{ failing: count, supporters } = { failing: 0, supporters: 0 }] = await listFailingWork(
      api.db,
      api.clock.now(),
    );
    expect({ count, supporters }).toEqual({ count: 3, supporters: buckets * each });
    expect(await countInHand(api.db, api.clock.now())).toBe(0);
    takeAsked();
  });

  test('is done for everybody as an operator asks, on past a bucket that fails', async () => {
    const all = () => workOnEverybody({ ...api, callsInFlight: 2 }, syncPass, work, nobodyFails);
    await whileBucketFails('supporter_work', () => expect(all()).rejects.toThrow('does not exist'));
    expect(takeAsked()).toEqual(everybody().filter((id) => !idsOf(2).includes(id)));
    expect(await all()).toMatchObject({ done: buckets * each, failed: 0 });
    expect(takeAsked()).toEqual(everybody());
  });
});

/** Delivers a notification as its provider does. */
async function notify(provider: Provider, news: { rawBody: string; headers: Record<string, string> }): Promise<void> {
  const { rawBody: payload, headers } = news;
  const answer = await api.app.inject({ method: 'POST', url: `/webhooks/${provider}`, headers, payload });
  expect(answer.statusCode).toBe(204);
}

describe('payment notifications', () => {
  const handle = (db = api.db) => handleNotifications({ ...api, db }, 'zepto');
  const inState = async (state: string) =>
    (await rowsOf(api.db.inBuckets(), (db) => db`select 1 from debits where state = ${state}`)).length;
  const cleared = () => inState('cleared');
  const cancelled = async () =>
    (await rowsOf(api.db.inBuckets(), (db) => db`select 1 from mandates where cancelled_at is not null`)).length;

  /** Debits everybody, and delivers that each debit has cleared; returns the ids. */
  const clearEverybody = async () => {
    const before = api.directDebit.taken.length;
    for (const person of people)
      await recordRoundUps(api.db.of(person.supporterId), api.clock.now(), [aPurchase(person)]);
    await runDebits(api);
    const ids = api.directDebit.taken.slice(before).map(({ id }) => id);
    for (const id of ids) {
      api.directDebit.clear(id);
      await notify('zepto', api.directDebit.notificationOf(id));
    }
    return ids;
  };

  test('of many debits asks each bucket once, and moves each debit on in its order', async () => {
    const ids = await clearEverybody();
    api.clock.setTo('2026-11-24T22:00:01Z');
    for (const id of ids.slice(0, 2)) {
      api.directDebit.return(id, 6);
      await notify('zepto', api.directDebit.notificationOf(id));
    }
    let lookUps = 0;
    const counted = (bucket: Pool) =>
      new Proxy(bucket, {
        apply: (tag, own, words: [string[]]) => {
          if (words[0].join('').includes("select 'debit' as kind")) lookUps += 1;
          return Reflect.apply(tag, own, words);
        },
      });
    const pool = new Proxy(api.db, {
      get: (target, name, own) =>
        name === 'inBuckets' ? () => target.inBuckets().map(counted) : Reflect.get(target, name, own),
    });
    expect(await handle(pool)).toBe(people.length + 2);
    expect([await cleared(), await inState('reversed')]).toEqual([people.length - 2, 2]);
    expect(lookUps).toBe(buckets);
  });

  test('is applied in the bucket of its debit or mandate, of a bucket that fails once it is back', async () => {
    await clearEverybody();
    const mandateRefs = api.directDebit.mandates.slice(-people.length).map(({ mandateRef }) => mandateRef);
    await notify('zepto', api.directDebit.cancelAtBank(...mandateRefs));
    await whileBucketFails('debits', () => expect(handle()).rejects.toThrow('could not be handled'));
    expect(await cleared()).toBe((buckets - 1) * each);
    expect(await handle()).toBe(each + 1); // its debits, and the notifications of mandates
    expect([await cleared(), await cancelled()]).toEqual([people.length, people.length]);
    expect(await handle()).toBe(0);
  });
});

describe('bank notifications', () => {
  const deliver = (customerId: string) =>
    notify('basiq', api.bankLink.notificationOf(customerId, 'transactions.updated'));
  const handle = () => handleNotifications(api, 'basiq');
  const dueIn = async (bucket: Db) => {
    const rows = await bucket<
      { id: string }[]
    >`select supporter_id as id from supporter_work where kind = 'sync' order by 1`;
    return rows.map(({ id }) => id);
  };

  test('marks work in the bucket of its supporter; that about nobody is done with', async () => {
    for (const { bankCustomerId } of people) await deliver(bankCustomerId);
    const person = { email: 'a@b.test', mobile: '0400000000', firstName: 'A', lastName: 'B' };
    await deliver(await api.bankLink.createCustomer(person));
    expect(await handle()).toBe(people.length + 1);
    for (const [number, bucket] of api.db.inBuckets().entries())
      expect(await dueIn(bucket)).toEqual(idsOf(number).toSorted());
    expect(await handle()).toBe(0);
  });

  test('waits for a bucket that fails where no other knows its customer', async () => {
    for (const { bankCustomerId } of people) await deliver(bankCustomerId);
    await whileBucketFails('supporters', () => expect(handle()).rejects.toThrow('could not be handled'));
    const [open] = await api.db`select count(*)::int as count from notifications where handled_at is null`;
    expect(open).toEqual({ count: each });
    expect(await handle()).toBe(each);
    expect(await dueIn(api.db.of(idsOf(2)[0] ?? ''))).toEqual(idsOf(2).toSorted());
  });
});

describe('a supporter’s consent', () => {
  const run = () => runConsents({ ...api, graceDays: 30 }, nobodyFails);
  const mailsIn = async (bucket: Db) => {
    const rows = await bucket<{ key: string }[]>`select key from mails order by key`;
    return rows.map(({ key }) => key.replace(/ \d.*/, ''));
  };

  test('is polled, and its end reminded of, in every bucket', async () => {
    expect(await run()).toMatchObject({ reminded: 0, failed: 0 });
    api.clock.setTo('2027-10-26T22:00:00Z');
    expect(await run()).toMatchObject({ reminded: people.length, ended: 0, failed: 0, leftToWorkers: 0 });
    for (const bucket of api.db.inBuckets())
      expect(await mailsIn(bucket)).toEqual(Array(each).fill('consent reminder'));
    expect(await run()).toMatchObject({ reminded: 0 });
  });

  test('is reminded of although another bucket fails, which is thrown', async () => {
    await run();
    api.clock.setTo('2027-10-26T22:00:00Z');
    await whileBucketFails('mandates', () => expect(run()).rejects.toThrow('does not exist'));
    for (const bucket of api.db.inBuckets()) expect(await mailsIn(bucket)).toHaveLength(each);
  });
});

describe('a supporter who leaves', () => {
  test('is exported, closed and emailed in their own bucket; the others carry on', async () => {
    const [leaver] = people.slice(-1);
    if (!leaver) throw new Error('Nobody was made.');
    const { supporterId, uid } = leaver;
    const bucket = api.db.of(supporterId);
    for (const person of people)
      await markDue(api.db.of(person.supporterId), 'sync', person.supporterId, api.clock.now());
    const { tables } = await exportSupporter({ ...api, db: bucket }, supporterId);
    expect(Object.keys(tables)).toEqual(
      expect.arrayContaining(['accounts', 'mandates', 'supporter_work', 'supporters']),
    );
    const { status } = await api.call(contract.closeAccount, { cdrid: supporterId }, { uid });
    expect(status).toBe(200);
    expect(await bucket`select key from mails where supporter_id = ${supporterId}`).toEqual([
      { key: 'account closed' },
    ]);
    const left = await Promise.all(api.db.inBuckets().map((db) => db`select 1 from supporter_work`));
    expect(left.flat()).toHaveLength(people.length - 1);
    expect(await searchSupporters(api.db, 'robin banks', 5)).toMatchObject({ leftOut: people.length - 5 });
    const all = await searchSupporters(api.db, 'robin banks', 100);
    expect(all.supporters.at(-1)).toMatchObject({ supporterId, isClosed: true });
  });
});
