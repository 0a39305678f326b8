import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { followChanges, type Role, roles, signOut } from '@sparechange/contract/console';
import { expect, test } from 'vitest';
import { traceWith } from '#ports/spans.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { anOperator, callConsole } from '#testing/console.ts';
import { aClub } from '#testing/makers.ts';

const api = ownApp();

async function open(cookie?: string): Promise<IncomingMessage & { said: string }> {
  if (!api.app.server.listening) await api.app.listen({ port: 0 });
  const { port } = api.app.server.address() as AddressInfo;
  const headers = { host: 'console.sparechange.example', 'x-sparechange-console': '1', 'accept-encoding': 'br' };
  const path = `/console/api${followChanges.path}`;
  const request = get({ port, path, headers: { ...headers, ...(cookie ? { cookie } : {}) } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const stream = Object.assign(response, { said: '' });
  stream.on('data', (chunk: Buffer) => {
    stream.said += String(chunk);
  });
  stream.on('error', () => {});
  return stream;
}

test.each(roles)('a %s follows changes, or is refused, as declared', async (role: Role) => {
  const clubIds = role === 'treasurer' ? [await aClub(api.db)] : [];
  const { cookie } = await anOperator(api.db, { roles: [role], clubIds });
  const stream = await open(cookie);
  expect(stream.statusCode).toBe(role === 'treasurer' ? 403 : 200);
  stream.destroy();
});

test("a stream is for signed-in people, reports another person's acts, and ends when they sign out", async () => {
  expect((await open()).statusCode).toBe(401);
  const owner = await anOperator(api.db);
  const stream = await open(owner.cookie);
  expect(stream.headers).toMatchObject({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
  expect(stream.headers['content-encoding']).toBeUndefined();
  await expect.poll(() => stream.said.split('\n\n').length, { timeout: 20_000 }).toBeGreaterThan(2);
  stream.said = '';
  const actor = { kind: 'console' as const, id: (await anOperator(api.db)).id };
  await api.acts.resumption(actor, { tenant: 'default', since: api.clock.now() }, 'Debits of default are resumed');
  await expect.poll(() => stream.said, { timeout: 20_000 }).toContain('"listApprovals"');
  expect(stream.said).toContain('"retrieveToday"');
  const ended = once(stream, 'end');
  expect((await callConsole(api.app, signOut, {}, owner)).status).toBe(200);
  await ended;
});

/** Lets the statistics include every write so far, by each session of the test's database. */
async function countWrites(): Promise<void> {
  const pools = [...new Set([api.db, api.rows])];
  const sessions = await Promise.all(pools.flatMap((pool) => Array.from({ length: 5 }, () => pool.reserve())));
  await Promise.all(sessions.map((session) => session`select pg_stat_force_next_flush()`));
  for (const session of sessions) session.release();
}

test('a stream names exactly the answers that a change of their tables may affect', async () => {
  const supporter = await api.supporter();
  const stream = await open((await anOperator(api.db)).cookie);
  const rename = async (name: string) => {
    stream.said = '';
    await api.rows`update supporters set first_name = ${name} where supporter_id = ${supporter.supporterId}`;
    await countWrites();
    await expect.poll(() => stream.said, { timeout: 30_000 }).toContain('"listSupporters"');
  };
  await expect.poll(() => stream.said, { timeout: 20_000 }).toContain('"listSupporters"');
  await rename('Kim'); // now the stream has reported all earlier writes
  await rename('Robin');
  expect(stream.said).toContain('"retrieveSupporter"');
  expect(stream.said).not.toContain('"listTenants"');
  stream.destroy();
});

test('a stream that its reader leaves is no longer a request in flight, and its span ends once', async () => {
  const inFlight = async () => (await api.metrics.requestsInFlight.get()).values[0]?.value;
  const { cookie } = await anOperator(api.db);
  await expect.poll(inFlight).toBe(0);
  const ended: string[] = [];
  const span = (name: string) => ({
    attribute: () => {},
    end: () => void ended.push(name),
    run: <Result>(work: () => Result) => work(),
  });
  traceWith({ start: ({ name }) => span(name), parent: () => undefined });
  const stream = await open(cookie);
  expect(await inFlight()).toBe(1);
  stream.destroy();
  await expect.poll(inFlight).toBe(0);
  const name = `GET /console/api${followChanges.path}`;
  expect(ended.filter((each) => each === name)).toEqual([name]);
  traceWith(undefined);
  expect((await api.app.inject('/readyz')).statusCode).toBe(200);
  expect(await inFlight()).toBe(0);
});

test('streams end with the server', async () => {
  const stream = await open((await anOperator(api.db)).cookie);
  const ended = once(stream, 'end');
  await api.app.close();
  await ended;
});
