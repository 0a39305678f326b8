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
  const previousVersion = new PgBoss({ connectionString: api.database.url, schema: 'pgboss', createSchema: false });
  previousVersion.on('error', () => {});
  await previousVersion.start();
  await previousVersion.createQueue('handle-payment-news', { policy: 'stately' }); // as an earlier version created it
  await previousVersion.createQueue('send-mails', { policy: 'stately' }); // no longer a queue
  await previousVersion.schedule('send-mails', '* * * * *');
  await previousVersion.stop({ graceful: false });
});
beforeEach(async () => {
  await api.rows`delete from pgboss.job`;
  jobs = await openJobs(api.database.url, makeLog('silent', 'test'), api.metrics, api.notifiers);
  return () => jobs.stop();
});

const handlers = (changes: Partial<JobHandlers>): JobHandlers => ({ ...idleHandlers, ...changes });
const noRetries = () => api.rows`update pgboss.queue set retry_limit = 0 where dead_letter is not null`;
const pollOptions = { timeout: 60_000, interval: 100 };

test('a job that failed for good is kept as a dead letter until a later job does its work', async () => {
  await noRetries();
  let isHealthy = false;
  await jobs.work(
    handlers({
      handleNotifications: async (provider) => {
        if (!isHealthy && provider === 'zepto') throw new Error('the bank refused');
      },
    }),
  );
  await jobs.enqueue.handleNotifications('zepto');
  const found = await vi.waitFor(async () => {
    const [first] = await listDeadLetters(api.db, 10);
    expect(first).toBeDefined();
    return first;
  }, pollOptions);
  expect(found).toMatchObject({ queue: 'handle-payment-news', key: 'all', attempts: 1, error: 'the bank refused' });
  isHealthy = true;
  await jobs.enqueue.handleNotifications('basiq');
  const states = () => api.rows`select state from pgboss.job where name = 'handle-bank-news'`;
  await vi.waitFor(async () => expect([...(await states())]).toEqual([{ state: 'completed' }]), pollOptions);
  expect(await countDeadLetters(api.db)).toBe(1);
  await jobs.enqueue.handleNotifications('zepto');
  await vi.waitFor(async () => expect(await countDeadLetters(api.db)).toBe(0), pollOptions);
});

test('a job that fails while an earlier job for the same work awaits its retry is not a dead letter', async () => {
  let isHealthy = false;
  await jobs.work(
    handlers({
      handleNotifications: async () => {
        if (!isHealthy) throw new Error('the bank refused');
      },
    }),
  );
  const states = async () => {
    const found = await api.rows<{ state: string }[]>`
      select state::text from pgboss.job where name = 'handle-payment-news' order by created_on`;
    return found.map(({ state }) => state);
  };
  await jobs.enqueue.handleNotifications('zepto');
  await vi.waitFor(async () => expect(await states()).toEqual(['retry']), pollOptions);
  await api.rows`update pgboss.job set start_after = now() + interval '1 hour' where state = 'retry'`;
  await jobs.enqueue.handleNotifications('zepto');
  await vi.waitFor(async () => expect(await states()).toEqual(['retry', 'cancelled']), pollOptions);
  expect(await countDeadLetters(api.db)).toBe(0);
  isHealthy = true;
  await api.rows`update pgboss.job set start_after = now() where state = 'retry'`;
  await vi.waitFor(async () => expect(await states()).toEqual(['completed', 'cancelled']), pollOptions);
});

test('supporters’ work is repeated, even after it fails, until the worker stops', async () => {
  let calls = 0;
  let wasStopped = false;
  await jobs.work(
    handlers({
      doWork: async (signal) => {
        calls += 1;
        if (calls === 1) throw new Error('the database went away');
        await new Promise((resolve) => signal?.addEventListener('abort', resolve));
        wasStopped = true;
      },
    }),
  );
  await vi.waitFor(() => expect(calls).toBe(2), pollOptions);
  await jobs.stop();
  expect([calls, wasStopped]).toEqual([2, true]);
});

test('every queue keeps dead letters, tells of new jobs unless the clock fills it, has a heartbeat and outlives the longest pass', async () => {
  type Row = { name: string; expiry: number; heartbeat: number; deadLetter: string; notify: boolean };
  const rows = await api.rows<Row[]>`
    select name, expire_seconds as expiry, heartbeat_seconds as heartbeat, dead_letter as "deadLetter", notify from pgboss.queue
    where name <> 'dead-letters' and name !~ '^__'`;
  expect(rows.map(({ name }) => name).toSorted()).toEqual([
    'handle-bank-news',
    'handle-payment-news',
    'mails',
    'submit-donations',
    'timetable',
    'timetable-books',
    'timetable-settlement',
    'watch',
    'webhooks',
  ]);
  for (const { name, expiry, heartbeat, deadLetter, notify } of rows) {
    const isByClock = /^timetable|^submit-donations$|^watch$/.test(name);
    expect([name, heartbeat, deadLetter, notify]).toEqual([name, 60, 'dead-letters', !isByClock]);
    expect([name, expiry >= 12 * 3_600]).toEqual([name, true]);
  }
});

test('a job that takes an hour is left alone while its worker lives, and is retried once it is killed', async () => {
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

test('all processes send emails concurrently, and only one at a time does any other work', async () => {
  const other = await openJobs(api.database.url, makeLog('silent', 'test'), api.metrics, api.notifiers);
  const client = new PgBoss({ connectionString: api.database.url, schema: 'pgboss', supervise: false });
  client.on('error', () => {});
  await client.start();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let [sending, watching] = [0, 0];
  const work = handlers({
    sendMails: async () => {
      sending += 1;
      await released;
    },
    watch: async () => {
      watching += 1;
      await released;
    },
  });
  await jobs.work(work);
  await other.work(work);
  await client.send('watch', {});
  await vi.waitFor(async () => {
    await jobs.enqueue.sendMails();
    expect([sending, watching]).toEqual([2, 1]);
  }, pollOptions);
  await client.send('watch', {});
  expect(await client.fetch('watch')).toEqual([]);
  expect(watching).toBe(1);
  release();
  await client.stop({ graceful: false });
  await other.stop();
});

test('the connections of the queues have the same timeouts as the product’s own', async () => {
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
  const ownSessions = await api.rows`
    select from pg_stat_activity where datname = current_database() and application_name = 'sparechange queues'`;
  expect(ownSessions.count).toBeGreaterThan(1); // those of openJobs as well
  await boss.stop({ graceful: false });
});
