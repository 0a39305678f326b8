import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getUser } from '@sparechange/contract';
import { expect, test } from 'vitest';
import type { Pool } from '#db/connect.ts';
import { recordMailOutage } from '#features/core/breakers/provider-breakers.ts';
import { markDue } from '#features/core/supporter-work/work-repository.ts';
import { openJobs } from '#jobs/queues.ts';
import { today } from '#ports/clock.ts';
import { makeLog } from '#telemetry/log.ts';
import { serveMetrics } from '#telemetry/metrics-server.ts';
import { observedFetch } from '#telemetry/observed-fetch.ts';
import { productMetrics } from '#telemetry/product-metrics.ts';
import { anApp, ownApp } from '#testing/app-under-test.ts';
import { idleHandlers } from '#testing/idle-handlers.ts';
import { addBusinessMetrics } from './business-metrics.ts';

const written: string[] = [];
const log = makeLog('info', 'test', { write: (line) => void written.push(line) });
const api = ownApp({}, { loggerInstance: log });

/** Metrics whose readings are not stored yet. */
const newMetrics = () => addBusinessMetrics(productMetrics(api.db), api.db, api.clock);

/** Value of one line of the metrics. */
const reading = async (name: string, metrics = api.metrics): Promise<string | undefined> =>
  (await metrics.text())
    .split('\n')
    .find((line) => line.startsWith(`${name} `))
    ?.slice(name.length + 1);

test('requests are counted and timed by route and status, without anybody in the labels', async () => {
  const supporter = await api.supporter();
  await api.call(getUser, { userId: supporter.uid }, { uid: supporter.uid });
  await api.call(getUser, { userId: 'x' }, { uid: supporter.uid });
  await api.app.inject(`/extend-consent/${supporter.email}`);
  const route = '/api/client/round-up/user/get-user';
  expect(await reading(`http_requests_total{method="POST",route="${route}",status="200"}`)).toBe('1');
  expect(await reading(`http_requests_total{method="POST",route="${route}",status="403"}`)).toBe('1');
  expect(await reading(`http_request_duration_seconds_count{method="POST",route="${route}"}`)).toBe('2');
  expect(await reading('http_requests_in_flight')).toBe('0');
  expect(await api.metrics.text()).not.toContain(supporter.email);
});

test('the oldest open notification shows how long it has been waiting', async () => {
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000);
  await api.db`
    insert into notifications (provider, id, body, received_at, handled_at)
    values ('zepto', 'handled', '{}', ${ago(7_200)}, ${ago(7_100)}), ('zepto', 'new', '{}', ${ago(0)}, null)`;
  const waited = async () => Number(await reading('notifications_waiting_seconds', newMetrics()));
  expect(await reading('notifications_open', newMetrics())).toBe('1');
  expect(await waited()).toBeLessThan(60);
  await api.db`update notifications set handled_at = null where id = 'handled'`;
  expect(await waited()).toBeGreaterThan(7_000);
  await api.db`delete from notifications`;
  expect(await waited()).toBe(0);
});

test('the state of the database, of debits and of queues can be read', async () => {
  const jobs = await openJobs(api.database.url, log, api.metrics, api.notifiers);
  await jobs.enqueue.handleNotifications('basiq');
  expect(await reading('database_up')).toBe('1');
  expect(Number(await reading('database_connections{state="active"}'))).toBeGreaterThan(0);
  expect(await reading('queue_length{queue="handle-bank-news"}', newMetrics())).toBe('1');
  expect(Number(await reading('queue_age_seconds{queue="handle-bank-news"}', newMetrics()))).toBeGreaterThanOrEqual(0);
  expect(await reading('notifications_open')).toBe('0');
  const supporter = await api.supporter();
  await api.rows`
    insert into debits (supporter_id, run_date, kind, attempt, club_id, amount_cents, savings_cents, mandate_id, reference, planned_at)
    select supporter_id, current_date, 'donation', 1, ${supporter.clubId}, 500, 0, id, 'r', now()
    from mandates where supporter_id = ${supporter.supporterId}`;
  expect(await reading('debits{state="planned"}', newMetrics())).toBe('1');
  expect(await reading('debits_refused_ratio', newMetrics())).toBe('0');
  await api.rows`
    update debits set state = 'refused', refusal = 'no', refusal_cause = 'other', run_date = ${today(api.clock)}`;
  expect(await reading('debits_refused_ratio', newMetrics())).toBe('1');
  expect(await reading('mail_server_unavailable')).toBe('0');
  await recordMailOutage(api.db, { since: api.clock.now(), askAgainAt: api.clock.now(), failure: 'no answer' });
  expect(await reading('mail_server_unavailable')).toBe('1');
  await jobs.stop();
});

test('emails are late after an hour', async () => {
  const { supporterId } = await api.supporter();
  const queued = (key: string, minutes: number) => api.rows`
    insert into mails (supporter_id, key, facts, queued_at, due_at)
    values (${supporterId}, ${key}, '{}', ${api.clock.now()}::timestamptz - ${minutes} * interval '1 minute', ${api.clock.now()})`;
  await queued('new', 59);
  expect(await reading('mails_late', newMetrics())).toBe('0');
  await queued('old', 61);
  expect(await reading('mails_late', newMetrics())).toBe('1');
  await api.rows`delete from mails`;
});

test('work waiting for a worker shows since when', async () => {
  const { supporterId } = await api.supporter();
  expect(await reading('supporter_work_waiting_seconds', newMetrics())).toBe('0');
  const since = new Date(api.clock.now().getTime() - 90_000);
  await markDue(api.db.of(supporterId), 'sync', supporterId, since);
  expect(await reading('supporter_work_waiting_seconds', newMetrics())).toBe('90');
  await api.rows`delete from supporter_work`;
});

test('a slow count is ended in the database, and never runs twice concurrently', async () => {
  const metrics = newMetrics();
  const bucket = api.db.inBuckets()[0] as Pool;
  const counts = async () =>
    (
      await bucket`
        select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%current_date - 14 group by%'`
    ).count;
  await bucket.begin(async (tx) => {
    await tx`lock table debits in access exclusive mode`;
    const scrapes = [metrics.text(), metrics.text()];
    await expect.poll(counts, { timeout: 30_000 }).toBe(1);
    for (const text of await Promise.all(scrapes)) expect(text).not.toContain('\ndebits{');
    await expect.poll(counts, { timeout: 30_000 }).toBe(0);
    await metrics.text();
    expect(await counts()).toBe(0); // it rests
  });
});

test('a job belongs to the request that created it, down to the calls of a provider', async () => {
  const provider = createServer((_request, response) => response.writeHead(204).end());
  await once(provider.listen(0, '127.0.0.1'), 'listening');
  const { port } = provider.address() as AddressInfo;
  const edge = await anApp(
    { enqueue: { ...api.enqueue, handleNotifications: (provider) => jobs.enqueue.handleNotifications(provider) } },
    { loggerInstance: log },
  );
  const jobs = await openJobs(edge.database.url, log, edge.metrics, edge.notifiers);
  const fetchObserved = observedFetch('basiq', log, edge.metrics);
  const { promise: done, resolve } = Promise.withResolvers<void>();
  const { bankCustomerId } = await edge.supporter();
  const { rawBody: payload, headers } = edge.bankLink.notificationOf(bankCustomerId, 'transactions.updated');
  const answer = await edge.app.inject({ method: 'POST', url: '/webhooks/basiq', headers, payload });
  expect(answer.statusCode).toBe(204);
  await jobs.work({
    ...idleHandlers,
    handleNotifications: async () => {
      await fetchObserved(`http://127.0.0.1:${port}/users/secret-customer`);
      resolve();
    },
  });
  await done;
  await jobs.stop();
  provider.close();
  const lines = written.map((line) => JSON.parse(line) as { msg: string; requestId?: string; route?: string });
  const answered = lines.find(({ msg, route }) => msg === 'answered' && route === '/webhooks/basiq');
  expect(answered?.requestId).toMatch(/^[0-9a-f-]{36}$/);
  expect(lines.filter(({ requestId }) => requestId === answered?.requestId)).toMatchObject([
    { msg: 'answered', status: 204 },
    { msg: 'provider call', provider: 'basiq', outcome: '204' },
    { msg: 'job done', queue: 'handle-bank-news' },
  ]);
  expect(written.join('')).not.toContain('secret-customer');
  const text = await edge.metrics.text();
  expect(text).toContain('provider_calls_total{provider="basiq",method="GET",outcome="204"} 1\n');
  expect(text).toContain('jobs_total{queue="handle-bank-news",outcome="done"} 1\n');
  await edge.close();
});

test('they are served at /metrics, beside the health of a process without an API', async () => {
  const server = await serveMetrics(api.metrics, { host: '127.0.0.1', port: 0 });
  const { url } = server;
  expect((await fetch(`${url}/metrics`)).headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  expect((await fetch(`${url}/`)).status).toBe(404);
  expect((await api.app.inject('/metrics')).statusCode).toBe(404);
  expect(new URL(url).hostname).toBe('127.0.0.1');
  await server.stop();
});
