import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { operations } from '@sparechange/contract';
import { exampleIds, examples } from '@sparechange/contract/openapi';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { openJobs } from '#jobs/queues.ts';
import { type AppUnderTest, anApp } from '#testing/app-under-test.ts';
import { idleHandlers } from '#testing/idle-handlers.ts';
import { exportSpans } from './export-spans.ts';
import { makeLog } from './log.ts';
import { observedFetch } from './observed-fetch.ts';

const Sent = z.object({
  resourceSpans: z.array(
    z.object({
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.string().optional(),
              name: z.string(),
              status: z.object({ code: z.number() }),
            }),
          ),
        }),
      ),
    }),
  ),
});

/** A collector that keeps what OTLP sends over HTTP. */
async function aCollector() {
  const received: { path: string | undefined; body: string }[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    received.push({ path: request.url, body });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { received, url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

let api: AppUnderTest;
let collector: Awaited<ReturnType<typeof aCollector>>;
const log = makeLog('silent', 'test');
beforeAll(async () => {
  collector = await aCollector();
  api = await anApp(
    { enqueue: { ...idleHandlers, handleNotifications: (provider) => jobs.enqueue.handleNotifications(provider) } },
    { loggerInstance: log },
  );
  jobs = await openJobs(api.database.url, log, api.metrics, api.notifiers);
});
afterAll(async () => {
  await jobs.stop();
  await api.close();
  collector.close();
});
let jobs: Awaited<ReturnType<typeof openJobs>>;

test('a request, its statements, its job and the calls of that are one trace, and nobody is named in it', async () => {
  const tracing = { endpoint: collector.url, serviceName: 'sparechange', program: 'api', ratio: 1 };
  const spans = exportSpans(tracing);
  const supporter = await api.supporter();
  const { supporterId: cdrid, uid, email } = supporter;
  const { promise: done, resolve } = Promise.withResolvers<void>();
  const fetchObserved = observedFetch('basiq', log, api.metrics);
  await jobs.work({
    ...idleHandlers,
    handleNotifications: async () => {
      await fetchObserved(`${collector.url}/users/${supporter.bankCustomerId}`);
      resolve();
    },
  });
  const mine: [string, string][] = [
    [exampleIds.cdrid, cdrid],
    [exampleIds.userId, uid],
    [exampleIds.account, supporter.account.id],
    [exampleIds.club, supporter.clubId],
  ];
  for (const { method, path, name } of operations) {
    const input = mine.reduce((text, [from, to]) => text.replaceAll(from, to), JSON.stringify(examples[name]?.input));
    const headers = { apikey: 'apikey-of-tenant-default', tenant: 'default', authorization: `Bearer ${uid}` };
    const json = { payload: input, headers: { ...headers, 'content-type': 'application/json' } };
    await api.app.inject({ method, url: `/api${path}`, ...(method === 'POST' ? json : { headers }) });
  }
  await api.app.inject(`/extend-consent/${email}?token=secret-of-a-link`);
  const notified = api.bankLink.notificationOf(supporter.bankCustomerId, 'transactions.updated');
  await api.app.inject({
    method: 'POST',
    url: '/webhooks/basiq',
    headers: notified.headers,
    payload: notified.rawBody,
  });
  await done;
  await expect(api.rows`insert into supporters (supporter_id, email) values (${cdrid}, ${email})`).rejects.toThrow();
  await jobs.stop();
  await spans.close();

  const sent = collector.received.filter(({ path }) => path === '/v1/traces').map(({ body }) => body);
  const all = sent.flatMap((body) =>
    Sent.parse(JSON.parse(body)).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
  );
  const request = all.find(({ name }) => name === 'POST /webhooks/basiq');
  const trace = all.filter(({ traceId }) => traceId === request?.traceId);
  const below = (above: string | undefined) =>
    trace.filter(({ parentSpanId }) => parentSpanId === above).map(({ name }) => name);
  expect(below(request?.spanId)).toEqual(expect.arrayContaining(['job handle-bank-news', 'insert notifications']));
  expect(below(trace.find(({ name }) => name === 'job handle-bank-news')?.spanId)).toEqual(['GET basiq']);
  expect(all.filter(({ parentSpanId }) => !parentSpanId).every(({ name }) => /^(GET|POST|job) /.test(name))).toBe(true);

  const everything = sent.join('').replace(/UnixNano":"\d+"/g, ''); // a time's digits may be any number
  const secrets = [
    ...[email, uid, cdrid, supporter.account.id, supporter.bankCustomerId, supporter.clubId],
    ...['Robin', 'Banks', '062000', '12345678', '0400000000', 'COFFEE', 'example.com', 'secret-of-a-link', 'apikey-of'],
  ];
  expect(secrets.filter((secret) => everything.includes(secret))).toEqual([]);
});

test('nothing is made once the export is closed, and an unavailable collector does not prevent a process from ending', async () => {
  const before = collector.received.length;
  await api.app.inject('/healthz');
  const spans = exportSpans({ endpoint: 'http://127.0.0.1:1', serviceName: 'sparechange', program: 'api', ratio: 1 });
  await api.app.inject('/healthz');
  await spans.close();
  expect(collector.received).toHaveLength(before);
});
