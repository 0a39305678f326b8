import * as contract from '@sparechange/contract';
import { isoDate } from '@sparechange/domain';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Pool } from '#db/connect.ts';
import { isConnectionLost } from '#db/database-answers.ts';
import { runDebits } from '#features/collections/debits/run-debits.ts';
import { handleNotifications, keepNotification } from '#features/collections/webhooks/handle-notifications.ts';
import { doDueWork, enqueuePass } from '#features/core/supporter-work/do-work.ts';
import { closeAndRollUp } from '#features/disbursements/remittances/close-and-roll-up.ts';
import { findSupporterIdByEmail } from '#features/supporters/profiles/supporter-repository.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { syncPass } from '#features/supporters/round-ups/sync-purchases.ts';
import { commandEntry } from '#ops/command-entry.ts';
import { addBusinessMetrics } from '#runtime/business-metrics.ts';
import { watch } from '#runtime/job-handlers.ts';
import { productMetrics } from '#telemetry/product-metrics.ts';
import { type AppUnderTest, anApp } from '#testing/app-under-test.ts';
import { aCluster, type TestCluster } from '#testing/citus-stand-in.ts';
import { aDatabase, type TestDatabase } from '#testing/database.ts';
import { aClub, aPurchase, aSupporter, type TestSupporter, uidsInEachBucket } from '#testing/makers.ts';

let database: TestDatabase;
let cluster: TestCluster;
/** Reaches buckets 1 and 3, on the node `west:5433`, while that is not cut off. */
let pool: Pool;
let api: AppUnderTest;
let people: TestSupporter[];

beforeAll(async () => {
  database = await aDatabase(4, { isJoined: false });
  pool = database.open(5);
  cluster = await aCluster(pool);
  api = await anApp({ db: pool }, {}, 1);
  const clubId = await aClub(database.pool);
  people = [];
  for (const uid of uidsInEachBucket(4, 1))
    people.push(await aSupporter(database.pool, { uid, clubId, directDebit: api.directDebit }));
  for (const person of people)
    await recordRoundUps(database.pool.of(person.supporterId), api.clock.now(), [aPurchase(person)]);
});
afterEach(() => cluster.mend());
afterAll(async () => {
  await api.close();
  await pool.end({ timeout: 1 });
  await database.drop();
});

const statuses = () =>
  Promise.all(
    people.map(
      async ({ uid, supporterId }) => (await api.call(contract.debitsAllTime, { cdrid: supporterId }, { uid })).status,
    ),
  );
const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('a node that cannot be reached', () => {
  test('is unavailable to its supporters alone, until it is back', async () => {
    cluster.cut('west:5433');
    expect(await statuses()).toEqual([200, 503, 200, 503]);
    expect((await api.app.inject('/readyz')).statusCode).toBe(200);
    cluster.mend();
    expect(await statuses()).toEqual([200, 200, 200, 200]);
  });

  test('does not stop the others from confirming their address, or from being found by it', async () => {
    const emailOf = async (person: TestSupporter | undefined) => {
      const { supporterId = '' } = person ?? {};
      const [row] = await database.pool.of(supporterId)<{ email: string; isProven: boolean }[]>`
        select email, email_proven_at is not null as "isProven" from supporters where supporter_id = ${supporterId}`;
      return row ?? { email: '', isProven: false };
    };
    const [near, far] = [people[0], people[3]];
    for (const bucket of database.pool.inBuckets()) await bucket`update supporters set email_proven_at = null`;
    const [{ email }, { email: farEmail }] = [await emailOf(near), await emailOf(far)];
    const until = new Date(api.clock.now().getTime() + 60_000);
    const confirm = async (address: string) => {
      const token = api.renewalLinks.token('confirm', address, until);
      return (await api.call(contract.confirmEmail, { email: address, token })).status;
    };
    const entryOf = (words: string) =>
      commandEntry(pool, api.clock.now(), 'alice', { name: 'supporter show', words, options: {} });
    cluster.cut('west:5433');
    expect([await confirm(email), await confirm(email), await confirm(farEmail)]).toEqual([200, 200, 503]);
    expect(await findSupporterIdByEmail(pool, email)).toBe(near?.supporterId);
    expect(isConnectionLost(await failureOf(findSupporterIdByEmail(pool, farEmail)))).toBe(true);
    expect((await entryOf(email)).details).toMatchObject({ words: `supporter ${near?.supporterId}` });
    expect((await entryOf(farEmail)).details).toMatchObject({ words: '(address)' });
    cluster.mend();
    expect([await emailOf(near), await emailOf(far)]).toMatchObject([{ isProven: true }, { isProven: false }]);
    expect(await confirm(farEmail)).toBe(200);
    expect(await emailOf(far)).toMatchObject({ isProven: true });
  });

  test('is left out of the metrics, which say how many buckets that are', async () => {
    const [near, far] = [people[0]?.supporterId ?? '', people[3]?.supporterId ?? ''];
    for (const id of [near, far]) {
      const at = api.clock.now();
      await database.pool.of(id)`
        insert into mails (supporter_id, key, facts, queued_at, due_at)
        values (${id}, 'late', '{}', ${at}::timestamptz - interval '2 hours', ${at})`;
    }
    const read = async () => {
      const text = await addBusinessMetrics(productMetrics(pool), pool, api.clock).text();
      return text.split('\n').filter((line) => /^(buckets_unread|mails_late|debits_refused_ratio) /.test(line));
    };
    cluster.cut('west:5433');
    expect((await read()).toSorted()).toEqual(['buckets_unread 2', 'debits_refused_ratio 0', 'mails_late 1']);
    cluster.mend();
    expect((await read()).toSorted()).toEqual(['buckets_unread 0', 'debits_refused_ratio 0', 'mails_late 2']);
    for (const bucket of database.pool.inBuckets()) await bucket`delete from mails`;
  });

  test('does not stop the others’ work, and is reported', async () => {
    const deps = { db: pool, clock: api.clock, callsInFlight: 2 };
    const asked: string[] = [];
    const work = async (id: string) => {
      asked.push(id);
      return 'asked' as const;
    };
    cluster.cut('west:5433');
    const enqueued = enqueuePass(deps, { ...syncPass, dueAt: api.clock.now() });
    await expect(enqueued).rejects.toThrow();
    expect(isConnectionLost(await failureOf(doDueWork(deps, { sync: work, consent_poll: work }, () => {})))).toBe(true);
    expect(asked.toSorted()).toEqual([people[0], people[2]].map((person) => person?.supporterId).toSorted());
  });

  test('does not hold back notifications about the others', async () => {
    const deps = { ...api, db: pool };
    const now = api.clock.now();
    const news = people.map(({ bankCustomerId }) => ({ eventId: bankCustomerId, kind: 'transactions.updated' }));
    for (const [at, body] of news.entries()) await keepNotification(pool, 'basiq', `b${at}`, body, now);
    const outcome = { providerRef: 'nobody’s', state: 'cleared', at: now };
    for (const id of 'abcdef')
      await keepNotification(pool, 'zepto', id, { outcomes: [outcome], endedMandates: [] }, now);
    const bankLink = { ...api.bankLink, customerOfEvent: async (id: string) => id };
    cluster.cut('west:5433');
    for (const provider of ['basiq', 'zepto'] as const) {
      const handled = failureOf(handleNotifications({ ...deps, bankLink }, provider));
      expect(await handled).toBeInstanceOf(AggregateError);
    }
    expect(await database.pool`select id from notifications where handled_at is not null order by id`).toEqual([
      { id: 'b0' },
      { id: 'b2' },
    ]);
    cluster.mend();
    await handleNotifications({ ...deps, bankLink }, 'basiq');
    expect(await database.pool`select id from notifications where handled_at is not null order by id`).toHaveLength(4);
  });

  test('silences no alarm about the others, and its own alarm comes', async () => {
    const now = api.clock.now().getTime();
    const since = new Date(now - 2 * 86_400_000);
    for (const { supporterId } of people)
      await database.pool.of(supporterId)`
        insert into supporter_work (supporter_id, kind, due_at, next_try_at, tries, failing_since, parked_at)
        values (${supporterId}, 'consent_poll', ${new Date(now)}, ${new Date(now)}, 9, ${since}, ${new Date(now)})
        on conflict (supporter_id, kind) do update set due_at = excluded.due_at, tries = excluded.tries,
          failing_since = excluded.failing_since, parked_at = excluded.parked_at`;
    const alarms = async () => {
      await failureOf(watch({ ...api, db: pool })); // checkpoints of its audit log cannot be made
      const raised = await pool<{ name: string; sentence: string }[]>`select name, sentence from alarms`;
      return raised.map(({ name, sentence }) => `${name}: ${sentence}`).join('\n');
    };
    cluster.cut('west:5433');
    expect(await alarms()).toContain('looking at consents has failed for 2 supporters');
    api.clock.setTo(new Date(now + 6 * 60_000).toISOString());
    expect(await alarms()).toContain('bucket_server_silent: The database node west:5433');
    for (const bucket of database.pool.inBuckets()) await bucket`delete from supporter_work`;
  });

  test('holds up the debit run and the close of day, which are finished once it is back', async () => {
    const deps = { ...api, db: pool };
    const day = isoDate('2026-11-25');
    api.clock.setTo('2026-11-24T22:00:00Z');
    cluster.cut('west:5433');
    await expect(runDebits(deps, day)).rejects.toThrow();
    await expect(closeAndRollUp(pool, day)).rejects.toThrow();
    expect(api.directDebit.taken).toEqual([]);
    cluster.mend();
    expect(await runDebits(deps, day)).toMatchObject({ planned: 4, submitted: 4 });
    await closeAndRollUp(pool, day);
    expect([...(await pool`select closed_until as day, rolled_up_until as sums from closed_days`)]).toEqual([
      { day, sums: day },
    ]);
  });
});
