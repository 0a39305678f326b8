import { PgBoss } from 'pg-boss';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { makeLog } from '#telemetry/log.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { countDeadLetters, listDeadLetters } from './dead-letters.ts';
import { type JobHandlers, type Jobs, openJobs } from './queues.ts';

const api = ownApp();
let jobs: Jobs;
beforeAll(async () => {
  const before = new PgBoss({ connectionString: api.database.url, schema: 'pgboss', createSchema: false });
  before.on('error', () => {});
  await before.start();
  await before.createQueue('handle-notifications', { policy: 'stately' }); // as an earlier version had made it
  await before.createQueue('send-mails', { policy: 'stately' }); // no queue any more
  await before.schedule('send-mails', '* * * * *');
  await before.stop({ graceful: false });
});
beforeEach(async () => {
  await api.db`delete from pgboss.job`;
  jobs = await openJobs(api.database.url, makeLog('silent', 'test'), api.metrics);
  return () => jobs.stop();
});

const nothing = async () => {};
const handlers = (changes: Partial<JobHandlers>): JobHandlers => ({
  ...{ timetable: nothing, syncSupporter: nothing, submitDonations: nothing, handleNotifications: nothing },
  ...{ sendMails: nothing, watch: nothing, ...changes },
});
const noRetries = () => api.db`update pgboss.queue set retry_limit = 0 where dead_letter is not null`;
const slowly = { timeout: 20_000, interval: 100 };

const syncs = async () =>
  Object.fromEntries(
    (
      await api.db<{ key: string; state: string }[]>`
      select singleton_key as key, state from pgboss.job where name = 'sync-supporter'`
    ).map(({ key, state }) => [key, state]),
  );

test('a supporter whose sync fails does not fail the others of its batch', async () => {
  const people = ['ann', 'ben', 'poison', 'cat', 'dan'];
  for (const person of people) await jobs.enqueue.syncSupporter(person);
  const synced: string[] = [];
  await jobs.work(
    handlers({
      syncSupporter: async (person) => {
        synced.push(person);
        if (person === 'poison') throw new Error('the bank refused');
      },
    }),
  );
  const expected = { ann: 'completed', ben: 'completed', poison: 'retry', cat: 'completed', dan: 'completed' };
  await vi.waitFor(async () => expect(await syncs()).toEqual(expected), slowly);
  expect(synced.toSorted()).toEqual(people.toSorted());
  expect(await countDeadLetters(api.db)).toBe(0);
});

test('a job that failed for good is kept as a dead letter until its work was done', async () => {
  await noRetries();
  let isWell = false;
  await jobs.work(
    handlers({
      syncSupporter: async () => {
        if (!isWell) throw new Error('the bank refused');
      },
    }),
  );
  await jobs.enqueue.syncSupporter('poison');
  const found = await vi.waitFor(async () => {
    const [first] = await listDeadLetters(api.db, 10);
    expect(first).toBeDefined();
    return first;
  }, slowly);
  expect(found).toMatchObject({ queue: 'sync-supporter', key: 'poison', attempts: 1, error: 'the bank refused' });
  isWell = true;
  await jobs.enqueue.syncSupporter('somebody-else');
  await vi.waitFor(async () => expect(await syncs()).toMatchObject({ 'somebody-else': 'completed' }), slowly);
  expect(await countDeadLetters(api.db)).toBe(1);
  await jobs.enqueue.syncSupporter('poison');
  await vi.waitFor(async () => expect(await countDeadLetters(api.db)).toBe(0), slowly);
});

test('every queue keeps dead letters, has a heartbeat and outlives the longest pass', async () => {
  const rows = await api.db<{ name: string; expiry: number; heartbeat: number; deadLetter: string }[]>`
    select name, expire_seconds as expiry, heartbeat_seconds as heartbeat, dead_letter as "deadLetter" from pgboss.queue
    where name <> 'dead-letters' and name !~ '^__'`;
  expect(rows.map(({ name }) => name).toSorted()).toEqual(
    ['handle-notifications', 'mails', 'submit-donations', 'sync-supporter', 'timetable', 'watch'].toSorted(),
  );
  for (const { name, expiry, heartbeat, deadLetter } of rows) {
    expect([name, heartbeat, deadLetter]).toEqual([name, 60, 'dead-letters']);
    expect([name, expiry >= (name === 'sync-supporter' ? 3_600 : 12 * 3_600)]).toEqual([name, true]);
  }
});

test('a pass of an hour is left alone while its worker lives, and started again when it was killed', async () => {
  await jobs.enqueue.handleNotifications();
  const supervisor = new PgBoss({ connectionString: api.database.url, schema: 'pgboss', supervise: false });
  supervisor.on('error', () => {});
  await supervisor.start();
  await supervisor.fetch('handle-notifications');
  const supervised = async () => {
    await api.db`update pgboss.queue set monitor_on = null, monitor_claim_on = null`;
    await supervisor.supervise('handle-notifications');
    const [job] = await api.db<{ state: string }[]>`select state from pgboss.job where name = 'handle-notifications'`;
    return job?.state;
  };
  await api.db`update pgboss.job set started_on = now() - interval '1 hour'`;
  expect(await supervised()).toBe('active');
  await api.db`update pgboss.job set heartbeat_on = now() - interval '2 minutes'`;
  expect(await supervised()).toBe('retry');
  await supervisor.stop({ graceful: false });
});

test('every program sends mails at once, and only one does each other work', async () => {
  const other = await openJobs(api.database.url, makeLog('silent', 'test'), api.metrics);
  const { promise: bothAreThere, resolve: go } = Promise.withResolvers<void>();
  let [sending, watching, watches] = [0, 0, 0];
  const work = handlers({
    sendMails: async () => {
      sending += 1;
      if (sending === 2) go();
      await bothAreThere;
    },
    watch: async () => {
      watching += 1;
      watches = Math.max(watches, watching);
      await bothAreThere;
      watching -= 1;
    },
  });
  await jobs.work(work);
  await other.work(work);
  await jobs.enqueue.sendMails();
  await vi.waitFor(async () => {
    await jobs.enqueue.sendMails();
    expect(sending).toBeGreaterThanOrEqual(2);
  }, slowly);
  await other.stop();
  expect(watches).toBeLessThanOrEqual(1);
});
