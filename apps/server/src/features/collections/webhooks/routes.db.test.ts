import { isoDate } from '@sparechange/domain';
import { beforeEach, expect, test, vi } from 'vitest';
import { planDebits } from '#features/collections/debits/plan-debits.ts';
import { submitDebits } from '#features/collections/debits/submit-debits.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import type { BankLink } from '#ports/bank-link.ts';
import { ProviderUnavailable } from '#ports/errors.ts';
import type { Provider } from '#ports/notifier.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { aPurchase, forgetEverything } from '#testing/makers.ts';
import { dropFailedNotification, listFailedNotifications } from './failed-notifications.ts';
import { handleNotifications, keepNotification, listWaitingProviders } from './handle-notifications.ts';

const api = ownApp();
beforeEach(async () => {
  await forgetEverything(api.db);
  api.asked.length = 0;
});

const deliver = (
  provider: 'basiq' | 'zepto',
  { rawBody, headers }: { rawBody: string; headers: Record<string, string> },
) =>
  api.app.inject({
    method: 'POST',
    url: `/webhooks/${provider}`,
    headers: { 'content-type': 'application/json', ...headers },
    payload: rawBody,
  });
const handle = (provider: Provider) => handleNotifications(api, provider);
const due = () =>
  api.rows`select supporter_id as id, kind, due_at as "dueAt" from supporter_work where next_try_at is not null order by kind`;

async function aSubmittedDebit() {
  const supporter = await api.supporter();
  await recordRoundUps(api.db.of(supporter.supporterId), api.clock.now(), [aPurchase(supporter)]);
  await planDebits(api.db, api.clock, api.tenants, isoDate('2026-11-25'));
  await submitDebits(api);
  return { supporter, id: api.directDebit.taken.at(-1)?.id ?? '' };
}

test.each(['basiq', 'zepto'] as const)(
  'a %s notification with a wrong signature is refused and not stored',
  async (provider) => {
    const answer = await deliver(provider, { rawBody: '{}', headers: { 'fake-id': 'a', 'fake-signature': 'forged' } });
    expect(answer.statusCode).toBe(401);
    expect(await api.rows`select 1 from notifications`).toHaveLength(0);
  },
);

test('a notification may be larger than our other calls, but not of any size', async () => {
  const forged = { 'fake-id': 'a', 'fake-signature': 'forged' };
  const statuses = [100_000, 1_100_000].map(
    async (length) => (await deliver('zepto', { rawBody: ' '.repeat(length), headers: forged })).statusCode,
  );
  expect(await Promise.all(statuses)).toEqual([401, 413]);
});

test('a notified outcome settles the debit once, however often it is delivered', async () => {
  const { supporter, id } = await aSubmittedDebit();
  api.directDebit.clear(id);
  const notification = api.directDebit.notificationOf(id);
  for (let time = 0; time < 3; time += 1) expect((await deliver('zepto', notification)).statusCode).toBe(204);
  expect(new Set(api.asked)).toEqual(new Set(['handle notifications of zepto']));
  expect(await handle('zepto')).toBe(1);
  expect(await handle('zepto')).toBe(0);
  const rows = await api.rows`select state from debits where supporter_id = ${supporter.supporterId}`;
  expect([...rows]).toEqual([{ state: 'cleared' }]);
});

test('notifications that overtake each other lead to the same state', async () => {
  const { supporter, id } = await aSubmittedDebit();
  api.directDebit.clear(id);
  const earlier = api.directDebit.notificationOf(id);
  api.directDebit.return(id, 6);
  await deliver('zepto', api.directDebit.notificationOf(id));
  await deliver('zepto', earlier);
  await handle('zepto');
  const [balance] = await api.rows`
    select sum(cents) filter (where account = 'cash') as cash, sum(cents) filter (where account = 'club_payable') as club
    from ledger_balances where supporter_id = ${supporter.supporterId}`;
  expect([Number(balance?.cash), Number(balance?.club)]).toEqual([0, 0]);
});

test('a bank notification marks the work as due and fetches nothing', async () => {
  const { supporterId: id, bankCustomerId } = await api.supporter();
  await deliver('basiq', api.bankLink.notificationOf(bankCustomerId, 'transactions.updated'));
  await deliver('basiq', api.bankLink.notificationOf(bankCustomerId, 'consent.revoked'));
  const asked: string[] = [];
  const bankLink = new Proxy(api.bankLink, {
    get: (link, name: keyof BankLink) => {
      asked.push(name);
      return link[name];
    },
  });
  expect(await handleNotifications({ ...api, bankLink }, 'basiq')).toBe(2);
  expect([...new Set(asked)]).toEqual(['customerOfEvent']);
  const dueAt = api.clock.now();
  expect([...(await due())]).toEqual([
    { id, kind: 'consent_poll', dueAt },
    { id, kind: 'sync', dueAt },
  ]);
});

test('a notification about an unknown person is handled and forgotten', async () => {
  const { supporterId, bankCustomerId } = await api.supporter();
  await api.rows`update supporters set bank_customer_id = 'other' where supporter_id = ${supporterId}`;
  await deliver('basiq', api.bankLink.notificationOf(bankCustomerId, 'transactions.updated'));
  expect(await handle('basiq')).toBe(1);
  expect(await due()).toEqual([]);
});

test('a notification that cannot be handled now is handled the next time', async () => {
  const { supporterId, bankCustomerId } = await api.supporter();
  await deliver('basiq', api.bankLink.notificationOf(bankCustomerId, 'transactions.updated'));
  api.bankLink.failNext('unavailable');
  await expect(handle('basiq')).rejects.toThrow();
  await handle('basiq');
  expect(await due()).toMatchObject([{ id: supporterId, kind: 'sync' }]);
});

test('bank and payment notifications do not block each other', async () => {
  const { supporter, id } = await aSubmittedDebit();
  await deliver('basiq', api.bankLink.notificationOf(supporter.bankCustomerId, 'transactions.updated'));
  api.directDebit.clear(id);
  await deliver('zepto', api.directDebit.notificationOf(id));
  expect(api.asked).toEqual(['handle notifications of basiq', 'handle notifications of zepto']);
  expect([await handle('zepto'), await handle('basiq')]).toEqual([1, 1]);
});

test('a notification that cannot be handled does not block the others', async () => {
  const [stranger, known] = [await api.supporter(), await api.supporter()];
  await deliver('basiq', api.bankLink.notificationOf(stranger.bankCustomerId, 'consent.revoked'));
  api.clock.setTo('2026-11-24T22:00:01Z');
  await deliver('basiq', api.bankLink.notificationOf(known.bankCustomerId, 'transactions.updated'));
  api.bankLink.failNext('unavailable');
  await expect(handleNotifications({ ...api, callsInFlight: 1 }, 'basiq')).rejects.toThrow('1 notifications');
  expect(await due()).toMatchObject([{ id: known.supporterId }]);
});

test('an unreadable payment notification stays with its error, and is no longer tried once it is dropped', async () => {
  const { id } = await aSubmittedDebit();
  await keepNotification(api.db, 'zepto', 'unreadable', { outcomes: 'none' }, api.clock.now());
  api.directDebit.clear(id);
  await deliver('zepto', api.directDebit.notificationOf(id));
  await expect(handle('zepto')).rejects.toThrow('1 notifications could not be handled');
  expect(await listFailedNotifications(api.db, 9)).toMatchObject([
    { provider: 'zepto', id: 'unreadable', failure: 'its outcomes cannot be read' },
  ]);
  await expect(handle('zepto')).rejects.toThrow('1 notifications could not be handled');
  const drop = () => dropFailedNotification(api.db, api.clock.now(), 'zepto', 'unreadable');
  expect([await drop(), await drop()]).toEqual([true, false]);
  expect([await handle('zepto'), await listFailedNotifications(api.db, 9)]).toEqual([0, []]);
});

/** Stores this number of notifications whose event gets no answer. */
const keepUnanswered = (count: number) => api.rows`
  insert into notifications (provider, id, body, received_at)
  select 'basiq', number, '{"eventId": "gone", "kind": "consent.revoked"}', '2026-11-24T21:00:00Z'
  from generate_series(1, ${count}::int) as number`;

/** Records queried events; there is no answer about unknown ones. */
function withEvents(asked: string[], bankCustomerId: string) {
  const customerOfEvent = async (eventId: string) => {
    asked.push(eventId);
    if (eventId === 'gone') throw new ProviderUnavailable('no answer');
    return bankCustomerId;
  };
  return { ...api, callsInFlight: 4, bankLink: { ...api.bankLink, customerOfEvent } };
}

test('failing notifications do not block later ones', async () => {
  const { supporterId, bankCustomerId } = await api.supporter();
  await keepUnanswered(19);
  await deliver('basiq', api.bankLink.notificationOf(bankCustomerId, 'transactions.updated'));
  await expect(handleNotifications(withEvents([], bankCustomerId), 'basiq')).rejects.toThrow(
    '19 notifications could not be handled',
  );
  expect(await due()).toMatchObject([{ id: supporterId }]);
});

test('an open breaker stops calls, three probes follow, then all notifications are handled', async () => {
  const { supporterId, bankCustomerId } = await api.supporter();
  const asked: string[] = [];
  const deps = withEvents(asked, bankCustomerId);
  await keepUnanswered(1001);
  await deliver('basiq', api.bankLink.notificationOf(bankCustomerId, 'transactions.updated'));
  await expect(handleNotifications(deps, 'basiq')).rejects.toThrow('could not be handled');
  expect(asked.splice(0).length).toBeLessThan(25);
  await expect(handleNotifications(deps, 'basiq')).rejects.toThrow('its notifications wait');
  expect(asked).toEqual([]);
  await api.rows`update provider_breakers set open_until = ${api.clock.now()}`;
  await expect(handleNotifications(deps, 'basiq')).rejects.toThrow('could not be handled');
  expect(asked.splice(0)).toEqual(['gone', 'gone', 'gone']);
  await api.rows`update provider_breakers set open_until = ${api.clock.now()}`;
  await api.rows`delete from notifications where body->>'eventId' = 'gone'`;
  expect(await handleNotifications(deps, 'basiq')).toBe(1);
  expect(await api.rows`select 1 from provider_breakers`).toHaveLength(0);
  expect(await due()).toMatchObject([{ id: supporterId }]);
});

test('an event that is never answered does not block later notifications', async () => {
  const { supporterId, bankCustomerId } = await api.supporter();
  await keepUnanswered(2);
  await deliver('basiq', api.bankLink.notificationOf(bankCustomerId, 'transactions.updated'));
  await api.rows`
    insert into provider_breakers values ('bank_link', ${api.clock.now()}, ${api.clock.now()}, 1)`;
  await expect(handleNotifications(withEvents([], bankCustomerId), 'basiq')).rejects.toThrow('2 notifications');
  expect(await api.rows`select 1 from provider_breakers`).toHaveLength(0);
  expect(await due()).toMatchObject([{ id: supporterId }]);
});

test('a bank notification left unhandled is found after a minute, while the bank link may be called', async () => {
  const { bankCustomerId } = await api.supporter();
  await deliver('basiq', api.bankLink.notificationOf(bankCustomerId, 'transactions.updated'));
  expect(await listWaitingProviders(api)).toEqual([]);
  const minuteLater = new Date(api.clock.now().getTime() + 60_000);
  api.clock.setTo(minuteLater.toISOString());
  expect(await listWaitingProviders(api)).toEqual(['basiq']);
  const openUntil = new Date(minuteLater.getTime() + 1);
  await api.rows`insert into provider_breakers values ('bank_link', ${minuteLater}, ${openUntil}, 1)`;
  expect(await listWaitingProviders(api)).toEqual([]);
  api.clock.setTo(openUntil.toISOString());
  expect(await listWaitingProviders(api)).toEqual(['basiq']);
  await handleNotifications({ ...api, callsInFlight: 4 }, 'basiq');
  expect(await listWaitingProviders(api)).toEqual([]);
});

test('a payment notification of a process that died is handled once repeated, and is found after a minute for an hour', async () => {
  const { id } = await aSubmittedDebit();
  api.directDebit.clear(id);
  const notification = api.directDebit.notificationOf(id);
  await deliver('zepto', notification);
  api.asked.length = 0; // with its job
  await deliver('zepto', notification);
  expect(api.asked).toEqual(['handle notifications of zepto']);
  const receivedAt = api.clock.now().getTime();
  const waitingAfter = (minutes: number) => {
    api.clock.setTo(new Date(receivedAt + minutes * 60_000).toISOString());
    return listWaitingProviders(api);
  };
  expect([await waitingAfter(0), await waitingAfter(1), await waitingAfter(61)]).toEqual([[], ['zepto'], []]);
  await handle('zepto');
  expect(await waitingAfter(1)).toEqual([]);
});

test('one slow answer about an event does not hold up other notifications', async () => {
  const { supporterId, bankCustomerId } = await api.supporter();
  await keepNotification(api.db, 'basiq', 'slow', { eventId: 'slow', kind: 'consent.revoked' }, api.clock.now());
  await deliver('basiq', api.bankLink.notificationOf(bankCustomerId, 'transactions.updated'));
  const { promise: answer, resolve: goOn } = Promise.withResolvers<void>();
  const customerOfEvent = async (eventId: string) => {
    if (eventId === 'slow') await answer;
    return eventId === 'slow' ? undefined : bankCustomerId;
  };
  const bankLink = { ...api.bankLink, customerOfEvent };
  const pass = handleNotifications({ ...api, callsInFlight: 2, bankLink }, 'basiq');
  await vi
    .waitFor(async () => expect(await due()).toMatchObject([{ id: supporterId, kind: 'sync' }]), { timeout: 10_000 })
    .finally(() => {
      goOn();
      return pass;
    });
  expect(await pass).toBe(2);
});

test('liveness and readiness are reported without keys', async () => {
  for (const url of ['/healthz', '/readyz']) expect((await api.app.inject({ url })).statusCode).toBe(200);
});

test('a second pass over notifications leaves them to the first, and reports it', async () => {
  await keepNotification(api.db, 'basiq', 'slow', { eventId: 'slow', kind: 'transactions.updated' }, api.clock.now());
  const { promise: asked, resolve: wasAsked } = Promise.withResolvers<void>();
  const { promise: answer, resolve: goOn } = Promise.withResolvers<void>();
  let calls = 0;
  const customerOfEvent = async () => {
    calls += 1;
    wasAsked();
    await answer;
    return undefined;
  };
  const pass = () => handleNotifications({ ...api, bankLink: { ...api.bankLink, customerOfEvent } }, 'basiq');
  const first = pass();
  await asked;
  expect(await pass()).toBeUndefined();
  goOn();
  expect(await first).toBe(1);
  expect(calls).toBe(1);
  expect(await pass()).toBe(0);
});
