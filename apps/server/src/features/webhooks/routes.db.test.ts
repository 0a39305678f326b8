import { isoDate } from '@sparechange/domain';
import { beforeEach, expect, test } from 'vitest';
import { planDebits } from '#features/debits/plan-debits.ts';
import { submitDebits } from '#features/debits/submit-debits.ts';
import { recordRoundUps } from '#features/round-ups/record-round-ups.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { aPurchase } from '#testing/makers.ts';
import { handleNotifications, keepNotification } from './handle-notifications.ts';

const api = ownApp();
beforeEach(async () => {
  await api.db`truncate notifications`;
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
const handle = () => handleNotifications({ ...api, enqueueSync: api.enqueue.syncSupporter });

async function aSubmittedDebit() {
  const supporter = await api.supporter();
  await recordRoundUps(api.db, api.clock.now(), [aPurchase(supporter)]);
  await planDebits(api.db, api.clock, api.tenants, isoDate('2026-11-25'));
  await submitDebits(api);
  return { supporter, id: api.directDebit.taken.at(-1)?.id ?? '' };
}

test.each(['basiq', 'zepto'] as const)(
  'a %s notification with a wrong signature is refused and not kept',
  async (provider) => {
    const answer = await deliver(provider, { rawBody: '{}', headers: { 'fake-id': 'a', 'fake-signature': 'forged' } });
    expect(answer.statusCode).toBe(401);
    expect(await api.db`select 1 from notifications`).toHaveLength(0);
  },
);

test('a notification may be larger than a call of ours, but not of any size', async () => {
  const forged = { 'fake-id': 'a', 'fake-signature': 'forged' };
  const statuses = [100_000, 1_100_000].map(
    async (length) => (await deliver('zepto', { rawBody: ' '.repeat(length), headers: forged })).statusCode,
  );
  expect(await Promise.all(statuses)).toEqual([401, 413]);
});

test('an outcome that is notified settles the debit, once, however often it is delivered', async () => {
  const { supporter, id } = await aSubmittedDebit();
  api.directDebit.clear(id);
  const notification = api.directDebit.notificationOf(id);
  for (let time = 0; time < 3; time += 1) expect((await deliver('zepto', notification)).statusCode).toBe(204);
  expect(api.asked).toEqual(['handle notifications']);
  expect(await handle()).toBe(1);
  expect(await handle()).toBe(0);
  const rows = await api.db`select state from debits where supporter_id = ${supporter.supporterId}`;
  expect([...rows]).toEqual([{ state: 'cleared' }]);
});

test('notifications that overtake each other end in the same state', async () => {
  const { supporter, id } = await aSubmittedDebit();
  api.directDebit.clear(id);
  const earlier = api.directDebit.notificationOf(id);
  api.directDebit.return(id, 6);
  await deliver('zepto', api.directDebit.notificationOf(id));
  await deliver('zepto', earlier);
  await handle();
  const [balance] = await api.db`
    select sum(cents) filter (where account = 'cash') as cash, sum(cents) filter (where account = 'club_payable') as club
    from ledger_balances where supporter_id = ${supporter.supporterId}`;
  expect([Number(balance?.cash), Number(balance?.club)]).toEqual([0, 0]);
});

test('new transactions are fetched soon, and a consent that ended is detected', async () => {
  const { supporterId, bankCustomerId } = await api.supporter();
  await deliver('basiq', api.bankLink.notificationOf(bankCustomerId, 'transactions.updated'));
  api.bankLink.endConsent(bankCustomerId, 'revoked');
  await deliver('basiq', api.bankLink.notificationOf(bankCustomerId, 'consent.revoked'));
  await handle();
  expect(api.asked).toContain(`sync ${supporterId}`);
  const [row] = await api.db`select consent_active from supporters where supporter_id = ${supporterId}`;
  expect(row).toEqual({ consent_active: false });
});

test('a notification about nobody we know is handled and forgotten', async () => {
  const { supporterId, bankCustomerId } = await api.supporter();
  await api.db`update supporters set bank_customer_id = 'other' where supporter_id = ${supporterId}`;
  await deliver('basiq', api.bankLink.notificationOf(bankCustomerId, 'transactions.updated'));
  expect(await handle()).toBe(1);
  expect(api.asked).toEqual(['handle notifications']);
});

test('one that can not be handled just now is handled the next time', async () => {
  const { supporterId, bankCustomerId } = await api.supporter();
  await deliver('basiq', api.bankLink.notificationOf(bankCustomerId, 'transactions.updated'));
  api.bankLink.failNext('unavailable');
  await expect(handle()).rejects.toThrow();
  await handle();
  expect(api.asked).toContain(`sync ${supporterId}`);
});

test('a notification that can not be handled keeps no other one waiting', async () => {
  const { supporter, id } = await aSubmittedDebit();
  const stranger = await api.supporter();
  await deliver('basiq', api.bankLink.notificationOf(stranger.bankCustomerId, 'consent.revoked'));
  api.clock.setTo('2026-11-24T22:00:01Z');
  api.directDebit.clear(id);
  await deliver('zepto', api.directDebit.notificationOf(id));
  api.bankLink.setUnreachable(true);
  await handle().catch(() => {});
  api.bankLink.setUnreachable(false);
  const rows = await api.db`select state from debits where supporter_id = ${supporter.supporterId}`;
  expect([...rows]).toEqual([{ state: 'cleared' }]);
});

test('however many can not be handled, those behind them are', async () => {
  const { supporter, id } = await aSubmittedDebit();
  await api.db`
    insert into notifications (provider, id, body, received_at)
    select 'basiq', number, '{"eventId": "gone", "kind": "consent.revoked"}', '2026-11-24T21:00:00Z'
    from generate_series(1, 1001) as number`;
  api.directDebit.clear(id);
  await deliver('zepto', api.directDebit.notificationOf(id));
  api.bankLink.setUnreachable(true);
  await expect(handle()).rejects.toThrow('1001 notifications could not be handled');
  api.bankLink.setUnreachable(false);
  const rows = await api.db`select state from debits where supporter_id = ${supporter.supporterId}`;
  expect([...rows]).toEqual([{ state: 'cleared' }]);
});

test('alive and ready are said without keys', async () => {
  for (const url of ['/healthz', '/readyz']) expect((await api.app.inject({ url })).statusCode).toBe(200);
});

test('a second pass over notifications leaves them to the first, and says so', async () => {
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
  const pass = () =>
    handleNotifications({
      ...api,
      bankLink: { ...api.bankLink, customerOfEvent },
      enqueueSync: api.enqueue.syncSupporter,
    });
  const first = pass();
  await asked;
  expect(await pass()).toBeUndefined();
  goOn();
  expect(await first).toBe(1);
  expect(calls).toBe(1);
  expect(await pass()).toBe(0);
});
