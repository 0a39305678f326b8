import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readWebhook, type WebhookRequest } from '@sparechange/client/webhooks';
import { type EventType, ProgramEvent } from '@sparechange/contract/program-events';
import { isoDate } from '@sparechange/domain';
import { pino } from 'pino';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { runDebits } from '#features/collections/debits/run-debits.ts';
import { clubChanged, recordEvents } from '#features/core/events/record-events.ts';
import { updateClub } from '#features/disbursements/programs/update-club.ts';
import { closeAndRollUp } from '#features/disbursements/remittances/close-and-roll-up.ts';
import { remitToClubs } from '#features/disbursements/remittances/remit-to-clubs.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { webhookReceivers } from '#providers/webhook-receivers/index.ts';
import { aClub, aPurchase, aSupporter, aTenant, someTenants, testEncryption } from '#testing/makers.ts';
import { reverse } from '#testing/money-day.ts';
import { paidClub } from '#testing/paid-club.ts';
import { deliverEvents } from './deliver-events.ts';
import { listAttempts } from './delivery-repository.ts';
import { listEndpoints } from './endpoint-repository.ts';
import { addEndpoint, removeEndpoint, replay, rotateEndpoint } from './endpoints.ts';
import { watchDeliveries } from './watch-deliveries.ts';

const robin = { kind: 'operating_system', id: 'robin' } as const;
const paid = paidClub();
const { database, on } = paid;
const log = pino({ level: 'silent' });

/** Calls a receiver got, by path; paths determine its answers. */
let received: (WebhookRequest & { path: string })[];
let server: Server;
let origin: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => {
      body += String(part);
    });
    request.on('end', () => {
      const path = request.url ?? '';
      received.push({ path, headers: request.headers, body });
      if (path.startsWith('/hangs')) return;
      response.writeHead(path.startsWith('/fails') ? 500 : 200).end(`answer of ${path}\0`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  received = [];
});
afterEach(() => {
  const bodies = received.map(({ body }) => JSON.parse(body));
  for (const body of bodies) expect(ProgramEvent.parse(body)).toEqual(body); // as declared, and no more
});

const deps = () => ({
  ...paid.deps(),
  log,
  encryption: testEncryption,
  webhookReceivers: webhookReceivers({ isLocalAllowed: true, timeoutMs: 300 }),
});
const add = (path: string, types: EventType[] = ['club.changed'], clubId?: string) =>
  addEndpoint(deps(), { url: `${origin}${path}`, types, clubId }, robin);
const change = (clubId = paid.id()) =>
  database.pool.begin((tx) => recordEvents(tx, [clubChanged(clubId, deps().clock.now())]));
const deliver = () => deliverEvents(deps());
const typesOf = (path: string) =>
  received.filter((request) => request.path === path).map(({ body }) => JSON.parse(body).type as string);
/** Events that came to a path, by type and time. */
const bodiesAt = (path: string): ProgramEvent[] =>
  received
    .filter((request) => request.path === path)
    .map(({ body }) => JSON.parse(body))
    .sort((one, other) => (`${one.type} ${one.timestamp}` < `${other.type} ${other.timestamp}` ? -1 : 1));
const firstBody = () => received[0]?.body ?? '';
const headersOf = ({ headers }: WebhookRequest) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

test('a webhook is verified by the library of Standard Webhooks and by the client', async () => {
  const { secret } = await add('/good');
  await change();
  expect(await deliver()).toEqual({ delivered: 1, failed: 0, isUnfinished: false });
  const [request] = received;
  if (!request) throw new Error('Nothing came.');
  const event = { type: 'club.changed', timestamp: expect.any(String), data: { clubId: paid.id() } };
  expect(new Webhook(secret).verify(request.body, headersOf(request))).toEqual(event);
  expect(readWebhook(request, secret)).toEqual({ ...event, id: request.headers['webhook-id'] });

  const other = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
  expect(() => new Webhook(other).verify(request.body, headersOf(request))).toThrow();
  expect(readWebhook(request, other)).toBeUndefined();
  expect(readWebhook({ ...request, body: `${request.body} ` }, secret)).toBeUndefined();
  expect(readWebhook(request, secret, new Date(Date.now() + 301_000))).toBeUndefined();
  expect(await deliver()).toMatchObject({ delivered: 0 });
});

test('while a secret is rotated both sign, afterwards only the new one', async () => {
  const { id, secret } = await add('/good');
  const next = await rotateEndpoint(deps(), { id, overlapHours: 1 }, robin);
  await change();
  await deliver();
  const [both] = received;
  for (const each of [secret, next.secret]) expect(both && readWebhook(both, each)).toBeDefined();
  on('2026-11-25');
  await change();
  await deliver();
  const after = received[1];
  expect(after && readWebhook(after, secret)).toBeUndefined();
  expect(after && readWebhook(after, next.secret)).toBeDefined();
});

test('a payout that clears, a run that ends and a club that changes are events, each sent once to its subscribers', async () => {
  const everything: EventType[] = ['payout.cleared', 'debit.run.finished', 'club.changed', 'supporter.count'];
  const stranger = await aClub(database.pool);
  await add('/all', everything);
  await add('/mine', everything, paid.id());
  await add('/others', everything, stranger);
  await add('/runs', ['debit.run.finished']);
  for (let person = 0; person < 5; person += 1) await paid.gives(10 + person);
  on('2026-11-25');
  const newcomer = await aSupporter(database.pool, { clubId: paid.id(), directDebit: deps().directDebit });
  const purchase = aPurchase(newcomer, { day: '2026-11-24', cents: 955 });
  await recordRoundUps(database.pool.of(newcomer.supporterId), deps().clock.now(), [purchase]);
  await database.rows`update debit_runs set finished_at = now()`; // only the run below is to end here
  const run = { ...deps(), tenants: someTenants(aTenant()), callsInFlight: 4 };
  await runDebits(run, isoDate('2026-11-25'));
  await runDebits(run, isoDate('2026-11-25'));
  await remitToClubs(paid.deps());
  await paid.arrives();
  await paid.arrives();
  const key = { id: 'k', scopes: ['write_clubs' as const], clubId: null };
  for (const about of ['One', 'One']) await updateClub(deps(), key, paid.id(), { about });
  await closeAndRollUp(database.pool, isoDate('2026-11-24'));
  await deliver();
  const ofClub = ['club.changed', 'payout.cleared', 'supporter.count'];
  expect(typesOf('/all').toSorted()).toEqual([...ofClub, 'debit.run.finished'].toSorted());
  expect(typesOf('/mine').toSorted()).toEqual(ofClub);
  expect(typesOf('/others')).toEqual([]);
  expect(typesOf('/runs')).toEqual(['debit.run.finished']);
  const [payout] = await database.pool`select id, reference from remittances`;
  const timestamp = '2026-11-25T00:00:00.000Z';
  expect(bodiesAt('/mine')).toEqual([
    { type: 'club.changed', timestamp, data: { clubId: paid.id() } },
    {
      type: 'payout.cleared',
      timestamp,
      data: { payoutId: payout?.id, clubId: paid.id(), reference: payout?.reference, amountCents: 60 },
    },
    {
      type: 'supporter.count',
      timestamp,
      data: { clubId: paid.id(), supporters: 5, until: '2026-11-24' },
    },
  ]);
  expect(bodiesAt('/runs')).toEqual([
    { type: 'debit.run.finished', timestamp, data: { date: '2026-11-25', debits: 1, totalCents: 45 } },
  ]);
});

test('the number of supporters is null for a club that falls below five', async () => {
  const references: string[] = [];
  for (let person = 0; person < 5; person += 1) references.push(await paid.gives(10 + person));
  await add('/count', ['supporter.count']);
  on('2026-11-25');
  await closeAndRollUp(database.pool, isoDate('2026-11-24'));
  await reverse(deps(), references[0] ?? '');
  on('2026-11-26');
  await closeAndRollUp(database.pool, isoDate('2026-11-25'));
  await deliver();
  const count = (supporters: number | null, until: string) => ({ clubId: paid.id(), supporters, until });
  expect(bodiesAt('/count').map(({ data }) => data)).toEqual([count(5, '2026-11-24'), count(null, '2026-11-25')]);
});

test('an undelivered count is retried after a minute, like any event', async () => {
  for (let person = 0; person < 5; person += 1) await paid.gives(10 + person);
  await add('/fails', ['supporter.count']);
  on('2026-11-25');
  await closeAndRollUp(database.pool, isoDate('2026-11-24'), deps().clock.now());
  await deliver();
  const [delivery] = await database.rows`
    select extract(epoch from due_at - since)::int as seconds from webhook_deliveries`;
  expect(delivery).toEqual({ seconds: 60 });
});

test('an event is recorded together with its cause, or not at all', async () => {
  await add('/good');
  const failing = database.pool.begin(async (tx) => {
    await recordEvents(tx, [clubChanged(paid.id(), deps().clock.now())]);
    throw new Error('the change was not made');
  });
  await expect(failing).rejects.toThrow('the change was not made');
  expect(await deliver()).toMatchObject({ delivered: 0, failed: 0 });
});

test('an endpoint that hangs or fails does not hold up the others', async () => {
  await add('/hangs');
  await add('/fails');
  await add('/good');
  for (let event = 0; event < 5; event += 1) await change();
  const startedAt = performance.now();
  expect(await deliver()).toEqual({ delivered: 5, failed: 2, isUnfinished: false });
  expect(typesOf('/good')).toHaveLength(5);
  expect([typesOf('/hangs').length, typesOf('/fails').length]).toEqual([1, 1]);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});

test('endpoints that hang, round after round, do not hold up others for longer than a round', async () => {
  for (let hanging = 0; hanging < 3; hanging += 1) await add('/hangs');
  await add('/good');
  for (let event = 0; event < 5; event += 1) await change();
  const round = () => deliverEvents(deps(), undefined, { maxAtOnce: 2, roundMs: 200 });
  const rounds = [await round(), await round()];
  expect(rounds.map(({ isUnfinished }) => isUnfinished)).toContain(true);
  const called = await database.pool`select distinct endpoint_id from webhook_attempts`;
  expect(called.count).toBe(4); // in any order of their ids
  // A busy machine takes longer for five calls than the rest of a round.
  for (; typesOf('/good').length < 5 && rounds.length < 7; rounds.push(await round()));
  expect(typesOf('/good')).toHaveLength(5);
});

test('a delivery is tried with growing pauses for three days, then parked and alarmed, then replayed', async () => {
  const { id } = await add('/fails');
  await change();
  const { clock } = deps();
  const start = clock.now().getTime();
  const nextDue = async () => {
    const [row] = await database.pool<{ due: Date | null }[]>`select due_at as due from webhook_deliveries`;
    return row?.due;
  };
  const minutes: number[] = [];
  for (let due = await nextDue(); due; due = await nextDue()) {
    clock.setTo(due.toISOString());
    expect(await deliver()).toMatchObject({ failed: 1 });
    minutes.push((due.getTime() - start) / 60_000);
  }
  expect(minutes.slice(0, 7)).toEqual([0, 1, 2, 4, 8, 16, 32]);
  expect(minutes.at(-1)).toBe(72 * 60);
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(await listEndpoints(database.pool)).toMatchObject([{ waiting: 0, parked: 1 }]);

  for (let look = 0; look < 2; look += 1) await watchDeliveries(deps());
  const alarms = await database.pool`select name, sentence from alarms`;
  expect([...alarms]).toEqual([{ name: 'webhooks_parked', sentence: expect.stringContaining('1 event could not be') }]);

  expect(await replay(deps(), { endpointId: id }, robin)).toBe(1);
  expect(await deliver()).toMatchObject({ failed: 1 });
  expect(await nextDue()).toEqual(new Date(clock.now().getTime() + 60_000));
  const event = (await listAttempts(database.pool, { endpointId: id, limit: 1 }))[0]?.eventId;
  expect(await replay(deps(), { endpointId: id, eventId: event }, robin)).toBe(1);
  await expect(replay(deps(), { endpointId: id, eventId: id }, robin)).rejects.toThrow('was not found');
});

test('a delivery that cannot be signed is a failed attempt, and is also parked after three days', async () => {
  const { id } = await add('/good');
  await change();
  await database.pool`update webhook_endpoints set secret_encrypted = ${Buffer.alloc(60)} where id = ${id}`;
  expect(await deliver()).toMatchObject({ failed: 1 });
  const [attempt] = await listAttempts(database.pool, { endpointId: id, limit: 10 });
  expect(attempt).toMatchObject({ status: null, state: 'waiting', answer: expect.stringContaining('secret') });
  on('2026-11-28');
  expect(await deliver()).toMatchObject({ failed: 1 });
  expect(await listEndpoints(database.pool)).toMatchObject([{ waiting: 0, parked: 1 }]);
  expect(received).toEqual([]);
});

test('attempts are logged with status, duration and the beginning of the answer', async () => {
  const { id } = await add('/fails');
  await change();
  await deliver();
  const [attempt] = await listAttempts(database.pool, { endpointId: id, limit: 10 });
  expect(attempt).toMatchObject({ type: 'club.changed', status: 500, state: 'waiting', answer: 'answer of /fails ' });
  expect(attempt?.durationMs).toBeGreaterThanOrEqual(0);
});

test('deliveries still due to an endpoint end when it is removed', async () => {
  const { id } = await add('/good');
  await change();
  await removeEndpoint(deps(), id, robin);
  expect(await deliver()).toMatchObject({ delivered: 0 });
  await change();
  expect(await deliver()).toMatchObject({ delivered: 0 });
  await expect(removeEndpoint(deps(), id, robin)).rejects.toThrow('was not found');
  expect(await replay(deps(), { endpointId: id }, robin)).toBe(0);
  expect(firstBody()).toBe('');
});

test('an event is stored only if an endpoint wants it, and a secret never in plain', async () => {
  await change();
  expect(await database.pool`select from webhook_events`).toHaveLength(0);
  const { secret } = await add('/good');
  const [row] = await database.pool`select webhook_endpoints::text as row from webhook_endpoints`;
  const bytes = Buffer.from(secret.slice(6), 'base64').toString('hex');
  for (const text of [secret, secret.slice(6), bytes]) expect(String(row?.row)).not.toContain(text);
});

test('an endpoint that cannot be called, or wants no events, is not added', async () => {
  const strict = { ...deps(), webhookReceivers: webhookReceivers({ isLocalAllowed: false }) };
  for (const url of ['', 'x', origin, 'https://127.0.0.1/', `https://example.com/${'x'.repeat(500)}`])
    await expect(addEndpoint(strict, { url, types: ['club.changed'] }, robin)).rejects.toThrow('delivered there');
  await expect(add('/good', [])).rejects.toThrow('at least one type');
  await expect(add('/good', ['club.changed'], 'nobody')).rejects.toThrow('club was not found');
});
