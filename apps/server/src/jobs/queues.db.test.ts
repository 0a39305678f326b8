import { PgBoss } from 'pg-boss';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { makeLog } from '#telemetry/log.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { idleHandlers } from '#testing/idle-handlers.ts';
import { countDeadLetters, listDeadLetters } from './queue-repository.ts';
import { queueSettings } from './queue-settings.ts';
import { type JobHandlers, type Jobs, openJobs } from './queues.ts';

const api = ownApp();
let jobs: Jobs;
beforeAll(async () => {
  const before = new PgBoss({ connectionString: api.database.url, schema: 'pgboss', createSchema: false });
  before.on('error', () => {});
  await before.start();
  await before.createQueue('handle-payment-news', { policy: 'stately' }); // as an earlier version had made it
  await before.createQueue('send-mails', { policy: 'stately' }); // no queue any more
  await before.schedule('send-mails', '* * * * *');
  await before.stop({ graceful: false });
});
beforeEach(async () => {
  await api.rows`delete from pgboss.job`;
  jobs = await openJobs(api.database.url, makeLog('silent', 'test'), api.metrics);
  return () => jobs.stop();
});

const handlers = (changes: Partial<JobHandlers>): JobHandlers => ({ ...idleHandlers, ...changes });
const noRetries = () => api.rows`update pgboss.queue set retry_limit = 0 where dead_letter is not null`;
const slowly = { timeout: 60_000, interval: 100 };

test('a job that failed for good is kept as a dead letter until its work was done', async () => {
  await noRetries();
  let isWell = false;
  await jobs.work(
    handlers({
      handleNotifications: async (provider) => {
        if (!isWell && provider === 'zepto') throw new Error('the bank refused');
      },
    }),
  );
  await jobs.enqueue.handleNotifications('zepto');
  const found = await vi.waitFor(async () => {
    const [first] = await listDeadLetters(api.db, 10);
    expect(first).toBeDefined();
    return first;
  }, slowly);
  expect(found).toMatchObject({ queue: 'handle-payment-news', key: 'all', attempts: 1, error: 'the bank refused' });
  isWell = true;
  await jobs.enqueue.handleNotifications('basiq');
  const states = () => api.rows`select state from pgboss.job where name = 'handle-bank-news'`;
  await vi.waitFor(async () => expect([...(await states())]).toEqual([{ state: 'completed' }]), slowly);
  expect(await countDeadLetters(api.db)).toBe(1);
  await jobs.enqueue.handleNotifications('zepto');
  await vi.waitFor(async () => expect(await countDeadLetters(api.db)).toBe(0), slowly);
});

test('a job that fails while an earlier one of its work waits for its retry is no dead letter', async () => {
  let isWell = false;
  await jobs.work(
    handlers({
      handleNotifications: async () => {
        if (!isWell) throw new Error('the bank refused');
      },
    }),
  );
  const states = async () => {
    const found = await api.rows<{ state: string }[]>`
      select state::text from pgboss.job where name = 'handle-payment-news' order by created_on`;
    return found.map(({ state }) => state);
  };
  await jobs.enqueue.handleNotifications('zepto');
  await vi.waitFor(async () => expect(await states()).toEqual(['retry']), slowly);
  await api.rows`update pgboss.job set start_after = now() + interval '1 hour' where state = 'retry'`;
  await jobs.enqueue.handleNotifications('zepto');
  await vi.waitFor(async () => expect(await states()).toEqual(['retry', 'cancelled']), slowly);
  expect(await countDeadLetters(api.db)).toBe(0);
  isWell = true;
  await api.rows`update pgboss.job set start_after = now() where state = 'retry'`;
  await vi.waitFor(async () => expect(await states()).toEqual(['completed', 'cancelled']), slowly);
});

test('supporters’ work is done over and over, also after it failed, until the worker stops', async () => {
  let looks = 0;
  let wasStopped = false;
  await jobs.work(
    handlers({
      doWork: async (signal) => {
        looks += 1;
        if (looks === 1) throw new Error('the database went away');
        await new Promise((resolve) => signal?.addEventListener('abort', resolve));
        wasStopped = true;
      },
    }),
  );
  await vi.waitFor(() => expect(looks).toBe(2), slowly);
  await jobs.stop();
  expect([looks, wasStopped]).toEqual([2, true]);
});

test('jobs queued by the version before, running beside this one, are done here', async () => {
  const done: string[] = [];
  await jobs.work(
    handlers({
      handleNotifications: async (provider) => void done.push(provider),
      markSyncDue: async (supporterId) => void done.push(supporterId),
    }),
  );
  const before = new PgBoss({ connectionString: api.database.url, schema: 'pgboss', supervise: false });
  before.on('error', () => {});
  await before.start();
  await before.send('handle-notifications', {}, { singletonKey: 'all' });
  await before.send('sync-supporter', { supporterId: 'robin' }, { singletonKey: 'robin' });
  await vi.waitFor(() => expect(done.toSorted()).toEqual(['basiq', 'robin', 'zepto']), slowly);
  await before.stop({ graceful: false });
});

test('every queue keeps dead letters, has a heartbeat and outlives the longest pass', async () => {
  const rows = await api.rows<{ name: string; expiry: number; heartbeat: number; deadLetter: string }[]>`
    select name, expire_seconds as expiry, heartbeat_seconds as heartbeat, dead_letter as "deadLetter" from pgboss.queue
    where name <> 'dead-letters' and name !~ '^__'`;
  expect(rows.map(({ name }) => name).toSorted()).toEqual(
    [
      ...[
        'handle-bank-news',
        'handle-payment-news',
        'mails',
        'submit-donations',
        'timetable',
        'timetable-books',
        'timetable-settlement',
        'watch',
        'webhooks',
      ],
      ...['handle-notifications', 'sync-supporter'], // of the version before
    ].toSorted(),
  );
  for (const { name, expiry, heartbeat, deadLetter } of rows) {
    expect([name, heartbeat, deadLetter]).toEqual([name, 60, 'dead-letters']);
    expect([name, expiry >= 12 * 3_600]).toEqual([name, true]);
  }
});

test('a pass of an hour is left alone while its worker lives, and started again when it was killed', async () => {
  await jobs.enqueue.handleNotifications('zepto');
  const supervisor = new PgBoss({ connectionString: api.database.url, schema: 'pgboss', supervise: false });
  supervisor.on('error', () => {});
  await supervisor.start();
  await supervisor.fetch('handle-payment-news');
  const supervised = async () => {
    await api.rows`update pgboss.queue set monitor_on = null, monitor_claim_on = null`;
    await supervisor.supervise('handle-payment-news');
    const [job] = await api.rows<{ state: string }[]>`select state from pgboss.job where name = 'handle-payment-news'`;
    return job?.state;
  };
  await api.rows`update pgboss.job set started_on = now() - interval '1 hour'`;
  expect(await supervised()).toBe('active');
  await api.rows`update pgboss.job set heartbeat_on = now() - interval '2 minutes'`;
  expect(await supervised()).toBe('retry');
  await supervisor.stop({ graceful: false });
});

test('all processes send emails concurrently, and only one does each other work', async () => {
  const other = await openJobs(api.database.url, makeLog('silent', 'test'), api.metrics);
  const queue = new PgBoss({ connectionString: api.database.url, schema: 'pgboss', supervise: false });
  queue.on('error', () => {});
  await queue.start();
  const { promise: isLookedAt, resolve: go } = Promise.withResolvers<void>();
  let [sending, watching] = [0, 0];
  const work = handlers({
    sendMails: async () => {
      sending += 1;
      await isLookedAt;
    },
    watch: async () => {
      watching += 1;
      await isLookedAt;
    },
  });
  await jobs.work(work);
  await other.work(work);
  await queue.send('watch', {});
  await vi.waitFor(async () => {
    await jobs.enqueue.sendMails();
    expect([sending, watching]).toEqual([2, 1]);
  }, slowly);
  await queue.send('watch', {});
  expect(await queue.fetch('watch')).toEqual([]);
  expect(watching).toBe(1);
  go();
  await queue.stop({ graceful: false });
  await other.stop();
});

test('connections of the queues end what hangs, as the product’s own do', async () => {
  const boss = new PgBoss({ ...queueSettings(api.database.url), max: 1, supervise: false, schedule: false });
  await boss.start();
  const names = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'TimeZone'];
  const { rows } = await boss
    .getDb()
    .executeSql(
      'select current_setting(name) as value from unnest($1::text[]) with ordinality as n (name, at) order by at',
      [names],
    );
  expect(rows.map(({ value }: { value: string }) => value)).toEqual(['10min', '1min', '1min', 'UTC']);
  const ours = await api.rows`
    select from pg_stat_activity where datname = current_database() and application_name = 'sparechange queues'`;
  expect(ours.count).toBeGreaterThan(1); // those of openJobs as well
  await boss.stop({ graceful: false });
});
