import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { aSandbox, connect, type SandboxUnderTest } from '#testing/sandbox-under-test.ts';
import { basiqSignature, zeptoSignature } from './delivery.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

/** An application's webhook address, which answers with the next of these statuses, then 200; `hang up` gives no answer. */
async function aReceiver(...answers: (number | 'hang up')[]) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) });
    const answer = answers.shift() ?? 200;
    if (answer === 'hang up') request.socket.destroy();
    else response.writeHead(answer).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks` };
}

async function subscribed(url: string): Promise<SandboxUnderTest> {
  const sandbox = await aSandbox({ webhooks: { basiq: { url, secret }, zepto: { url, secret: '1234' } } });
  closing.push(() => sandbox.close());
  return sandbox;
}

const typesOf = (received: Received[]) =>
  received.map(({ body }) => JSON.parse(body).eventTypeId ?? JSON.parse(body).event.type);

test('the states of a consent arrive in order, signed, and without the user’s id in its fields', async () => {
  const { received, url } = await aReceiver();
  const sandbox = await subscribed(url);
  const { userId } = await connect(sandbox);
  await sandbox.control('POST', '/consents', { userId, action: 'revoke' });
  await sandbox.deliverWebhooks();
  expect(typesOf(received)).toEqual([
    'user.created',
    'consent.created',
    'connection.created',
    'account.updated',
    'transactions.updated',
    'connection.deleted',
    'consent.revoked',
  ]);
  for (const { headers, body } of received) {
    const id = String(headers['webhook-id']);
    const seconds = Number(headers['webhook-timestamp']);
    expect(headers['webhook-signature']).toBe(basiqSignature(secret, id, seconds, body));
    expect(Object.keys(JSON.parse(body))).toEqual(['eventTypeId', 'eventId', 'links']);
  }
  const { links } = JSON.parse(received[1]?.body ?? '');
  const event = await sandbox.basiq('GET', links.event.split('/basiq')[1]);
  expect(event.json).toMatchObject({ entity: 'consent', eventType: 'created', userId });
});

test('a year brings daily updates, reminder, warning and expiry', async () => {
  const { received, url } = await aReceiver();
  const sandbox = await subscribed(url);
  const { userId } = await connect(sandbox);
  await sandbox.pass(366 * 86_400);
  await sandbox.deliverWebhooks();
  const types = typesOf(received);
  expect(types.filter((type) => type === 'transactions.updated').length).toBeGreaterThan(360);
  expect(types.filter((type) => String(type).startsWith('consent.'))).toEqual([
    'consent.created',
    'consent.reminder',
    'consent.warning',
    'consent.expired',
  ]);
  expect(
    (await sandbox.basiq('GET', `/events?filter=${encodeURIComponent(`user.id.eq('${userId}')`)}`)).json.data[0]
      .eventType,
  ).toBe('expired');
});

test('Basiq tries again by its plan until it is answered 2xx, under the same id', async () => {
  const { received, url } = await aReceiver(500, 404);
  const sandbox = await subscribed(url);
  await sandbox.addUser();
  await sandbox.deliverWebhooks();
  await sandbox.pass(4);
  await sandbox.deliverWebhooks();
  expect(received).toHaveLength(1);
  await sandbox.pass(1);
  await sandbox.deliverWebhooks();
  expect(received).toHaveLength(2);
  await sandbox.pass(300);
  await sandbox.deliverWebhooks();
  await sandbox.pass(86_400);
  await sandbox.deliverWebhooks();
  expect(received).toHaveLength(3);
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
});

test('Zepto takes any answer for a delivery and tries again only after silence', async () => {
  const { received, url } = await aReceiver(500, 'hang up', 200);
  const sandbox = await aSandbox({ webhooks: { zepto: { url, secret: '1234' } } });
  closing.push(() => sandbox.close());
  const bank_account = { branch_code: '062000', account_number: '12345678' };
  const terms = { per_payout: { min_amount: null, max_amount: null }, per_frequency: { days: null, max_amount: null } };
  const kyc = () =>
    sandbox.zepto('POST', '/agreements/kyc', {
      authoriser: { name: 'Joan', email: 'joan@example.com', bank_account },
      terms,
    });
  await kyc();
  await sandbox.deliverWebhooks();
  await kyc();
  await sandbox.deliverWebhooks();
  expect(received).toHaveLength(2);
  await sandbox.pass(300);
  await sandbox.deliverWebhooks();
  expect(received.map(({ headers }) => headers['split-request-id'])).toEqual([
    expect.any(String),
    received[2]?.headers['split-request-id'],
    received[1]?.headers['split-request-id'],
  ]);
  for (const { headers, body } of received) {
    const signature = String(headers['split-signature']);
    expect(signature).toBe(zeptoSignature('1234', Number(signature.split('.')[0]), body));
  }
});

test('the steps of a debit are notified, several debits in one message', async () => {
  const { received, url } = await aReceiver();
  const sandbox = await aSandbox({ webhooks: { zepto: { url, secret: '1234' } } });
  closing.push(() => sandbox.close());
  const bank_account = { branch_code: '062000', account_number: '12345678' };
  const authoriser = { name: 'Joan', email: 'joan@example.com', bank_account };
  const { json } = await sandbox.zepto('POST', '/agreements/kyc', { authoriser });
  for (const key of ['a', 'b']) {
    const body = {
      description: key,
      matures_at: '2026-11-20T06:00:00',
      amount: 100,
      authoriser_contact_id: json.data.contact_id,
    };
    await sandbox.zepto('POST', '/payment_requests', body, key);
  }
  await sandbox.pass(8 * 86_400);
  await sandbox.deliverWebhooks();
  const sent = received.map(({ body }) => JSON.parse(body)).map(({ event, data }) => `${event.type} ${data.length}`);
  expect(sent.slice(1).sort()).toEqual([
    'credit.cleared 2',
    'credit.scheduled 1',
    'credit.scheduled 1',
    'creditor_debit.cleared 2',
    'creditor_debit.clearing 2',
    'creditor_debit.matured 2',
    'creditor_debit.processing 2',
    'creditor_debit.scheduled 1',
    'creditor_debit.scheduled 1',
    'payment_request.added 1',
    'payment_request.added 1',
  ]);
});

test('faults drop, double, delay and forge notifications', async () => {
  const { received, url } = await aReceiver();
  const sandbox = await subscribed(url);
  const emitWith = async (fault: object) => {
    received.length = 0;
    await sandbox.control('POST', '/faults', { webhooks: 'basiq', count: 1, ...fault });
    await sandbox.addUser('first@example.com');
    await sandbox.basiq('POST', `/users/${await sandbox.addUser('second@example.com')}`, { firstName: 'Joan' });
    await sandbox.deliverWebhooks();
  };
  await emitWith({ drop: true });
  expect(typesOf(received)).toEqual(['user.created', 'user.updated']);
  await emitWith({ duplicate: true });
  expect(received[0]?.headers['webhook-id']).toBe(received[1]?.headers['webhook-id']);
  expect(received).toHaveLength(4);
  await emitWith({ reorder: true });
  const early = received.length;
  await sandbox.pass(2);
  await sandbox.deliverWebhooks();
  expect([early, typesOf(received)]).toEqual([2, ['user.created', 'user.updated', 'user.created']]);
  await emitWith({ badSignature: true });
  const [forged] = received;
  const seconds = Number(forged?.headers['webhook-timestamp']);
  expect(forged?.headers['webhook-signature']).not.toBe(
    basiqSignature(secret, String(forged?.headers['webhook-id']), seconds, forged?.body ?? ''),
  );
  expect((await sandbox.control('GET', '/faults')).json).toEqual([]);
});

test('an application subscribes to each event once and can look at past deliveries', async () => {
  const { received, url } = await aReceiver();
  const sandbox = await aSandbox();
  closing.push(() => sandbox.close());
  const subscribe = (address: string, subscribedEvents: string[]) =>
    sandbox.basiq('POST', '/notifications/webhooks', { url: address, subscribedEvents });
  const made = await subscribe(url, ['user.created']);
  expect(made.status).toBe(201);
  expect(made.json).toMatchObject({
    status: 'active',
    secret: expect.stringMatching(/^whsec_/),
    subscribedEvents: ['user.created'],
  });
  expect((await subscribe(url, ['user.deleted'])).status).toBe(409);
  const taken = await subscribe(`${url}/other`, ['user.created']);
  expect([taken.status, taken.json.data[0].code]).toEqual([400, 'event-already-subscribed']);
  await sandbox.addUser();
  await sandbox.deliverWebhooks();
  expect(received).toHaveLength(1);
  const messages = (await sandbox.basiq('GET', `/notifications/webhooks/${made.json.id}/messages`)).json;
  expect(messages.data).toMatchObject([
    { eventTypeId: 'user.created', attempts: [{ status: 'Success', responseStatusCode: 200 }] },
  ]);
  expect((await sandbox.basiq('DELETE', `/notifications/webhooks/${made.json.id}`)).status).toBe(204);
});
