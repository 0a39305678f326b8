import { readWebhook } from '@sparechange/client/webhooks';
import * as contract from '@sparechange/contract/console';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { clubChanged, recordEvents } from '#features/core/events/record-events.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { anOperator, callConsole } from '#testing/console.ts';
import { aClub } from '#testing/makers.ts';
import { deliverEvents } from './deliver-events.ts';

/** Answers of receivers by path, and the requests they got. */
const posted: { path: string; headers: Record<string, string>; body: string }[] = [];
const webhookReceivers = {
  problemOf: () => undefined,
  post: async (url: URL, headers: Record<string, string>, body: string) => {
    posted.push({ path: url.pathname, headers, body });
    return url.pathname === '/fails' ? { status: 500, text: 'no\nroom' } : { status: 204, text: '' };
  },
};
const api = ownApp({ webhookReceivers });

async function owner() {
  const person = await anOperator(api.db);
  const call = <Op extends contract.ConsoleOperation>(operation: Op, input: object) =>
    callConsole(api.app, operation, input, person);
  const add = async (path: string) => {
    const url = `https://books.example${path}`;
    return (await call(contract.addWebhookEndpoint, { url, types: ['club.changed'] })).body;
  };
  const endpoint = async (id: string) =>
    (await call(contract.listWebhookEndpoints, {})).body.rows.find((each) => each.id === id);
  return { person, call, add, endpoint };
}

const deliver = () => deliverEvents({ ...api, webhookReceivers, log: pino({ level: 'silent' }) });

async function change() {
  const clubId = await aClub(api.db);
  await api.db.begin((tx) => recordEvents(tx, [clubChanged(clubId, api.clock.now())]));
}

test('a test event is signed, shows the answer, and is stored nowhere', async () => {
  const { call, add, endpoint } = await owner();
  const { id: endpointId, secret } = await add('/fails');
  const { body } = await call(contract.testWebhookEndpoint, { endpointId });
  expect(body).toEqual({ status: 500, durationMs: expect.any(Number), answer: 'no room' });
  const request = posted.at(-1) ?? { headers: {}, body: '' };
  expect(readWebhook(request, secret)).toMatchObject({ type: 'test', data: {} });
  expect(readWebhook({ ...request, body: `${request.body} ` }, secret)).toBeUndefined();
  expect(await endpoint(endpointId)).toMatchObject({ waiting: 0, parked: 0 });
});

test('a paused endpoint gets nothing until it is resumed, and then the events held back', async () => {
  const { call, add, endpoint } = await owner();
  const { id: endpointId } = await add('/good');
  await call(contract.pauseWebhookEndpoint, { endpointId, isPaused: true });
  await change();
  const before = posted.filter(({ path }) => path === '/good').length;
  await deliver();
  expect(await endpoint(endpointId)).toMatchObject({ waiting: 1, pausedAt: expect.any(String) });
  expect(posted.filter(({ path }) => path === '/good')).toHaveLength(before);
  await call(contract.pauseWebhookEndpoint, { endpointId, isPaused: false });
  await deliver();
  expect(await endpoint(endpointId)).toMatchObject({ waiting: 0, pausedAt: null });
  expect(posted.filter(({ path }) => path === '/good')).toHaveLength(before + 1);
});

test('attempts are listed page by page, and one event is delivered again', async () => {
  const { call, add, endpoint } = await owner();
  const { id: endpointId } = await add('/fails');
  for (let count = 0; count < 3; count += 1) await change();
  await deliver();
  await call(contract.pauseWebhookEndpoint, { endpointId, isPaused: false });
  await deliver();
  const first = await call(contract.listWebhookAttempts, { endpointId, limit: '1' });
  expect(first.body.rows).toMatchObject([{ status: 500, answer: 'no room', state: 'waiting' }]);
  const rest = await call(contract.listWebhookAttempts, { endpointId, after: String(first.body.next) });
  expect(rest.body.rows).toHaveLength(1);
  expect(rest.body.next).toBeNull();
  const [{ eventId } = { eventId: '' }] = rest.body.rows;
  await api.db`update webhook_deliveries set due_at = null, parked_at = now() where event_id = ${eventId}`;
  expect((await endpoint(endpointId))?.parked).toBe(1);
  expect((await call(contract.replayWebhooks, { endpointId, eventId })).body).toEqual({ queued: 1 });
  expect(await endpoint(endpointId)).toMatchObject({ parked: 0, waiting: 3 });
});

test('a key that writes is created by a second person, and only they see it', async () => {
  const { call } = await owner();
  const clubId = await aClub(api.db, { slug: 'of-the-key' });
  const request = { name: 'Books', days: 30, clubId };
  const reads = await call(contract.createApiKey, { ...request, scopes: ['read_clubs'] });
  expect(reads.body).toMatchObject({ key: { text: expect.stringMatching(/^sparechange_/) }, asked: null });
  const writes = await call(contract.createApiKey, { ...request, scopes: ['write_clubs'] });
  expect(writes.body).toEqual({ key: null, asked: { id: expect.any(String), expiresAt: expect.any(String) } });
  const { id } = await anOperator(api.db);
  expect(await api.acts.agree({ kind: 'console', id }, writes.body.asked?.id ?? '')).toMatchObject({
    result: { text: expect.stringMatching(/^sparechange_/) },
  });
  const { rows } = (await call(contract.listApiKeys, {})).body;
  expect(rows).toMatchObject([{ state: 'valid', club: { id: clubId } }, { usedAt: null }]);
  expect(JSON.stringify(rows)).not.toContain('sparechange_');
});

test('the former secret of a rotated key is listed until the key is revoked', async () => {
  const { call } = await owner();
  const made = await call(contract.createApiKey, { name: 'Books', days: 30, scopes: ['read_clubs'] });
  const id = made.body.key?.id ?? '';
  expect((await call(contract.rotateApiKey, { id, days: 30, overlapHours: 72 })).status).toBe(200);
  const listed = async () =>
    (await call(contract.listApiKeys, {})).body.rows.find((row: contract.ApiKey) => row.id === id);
  expect(await listed()).toMatchObject({ state: 'valid', formerUntil: expect.any(String) });
  await call(contract.revokeApiKey, { id });
  expect(await listed()).toMatchObject({ state: 'revoked', formerUntil: null });
});
