import { afterEach, beforeEach, expect, test } from 'vitest';
import { handleNotifications } from '#features/collections/webhooks/handle-notifications.ts';
import { doDueWork } from '#features/core/supporter-work/do-work.ts';
import { refreshConsent } from '#features/supporters/consents/refresh-consent.ts';
import { syncPurchases } from '#features/supporters/round-ups/sync-purchases.ts';
import type { Delivered } from '#ports/bank-link.suite.ts';
import { type AppUnderTest, anApp } from '#testing/app-under-test.ts';
import { inBucketOf } from '#testing/database.ts';
import { aSupporter, type TestSupporter } from '#testing/makers.ts';
import { basiqOnSandbox } from '../testing/basiq-on-sandbox.ts';

type Basiq = Awaited<ReturnType<typeof basiqOnSandbox>>;
let basiq: Basiq;
let api: AppUnderTest;
let supporter: TestSupporter;
let seen = 0;
/** Status of our answer; Basiq retries anything but a 2xx. */
let answered = 204;

beforeEach(async () => {
  answered = 204;
  basiq = await basiqOnSandbox(undefined, fetch, () => answered);
  api = await anApp({ bankLink: basiq.bankLink, clock: { now: basiq.now } });
  const bankCustomerId = await basiq.bankLink.createCustomer({
    email: 'robin@example.com',
    mobile: '0400000000',
    firstName: 'Robin',
    lastName: 'Banks',
  });
  await basiq.connect(bankCustomerId);
  const [account] = await basiq.bankLink.listAccounts(bankCustomerId);
  supporter = await aSupporter(api.db, {
    bankCustomerId,
    providerAccountId: account?.id ?? '',
    roundsFrom: '2026-11-18',
  });
  seen = (await basiq.delivered()).length;
});
afterEach(() => Promise.all([api.close(), basiq.close()]));

/** Returns the messages the sandbox sent since the last call. */
async function arrivals(): Promise<Delivered[]> {
  const all = await basiq.delivered();
  const fresh = all.slice(seen);
  seen = all.length;
  return fresh;
}
const take = async ({ rawBody, headers }: Delivered): Promise<number> => {
  const request = { method: 'POST', url: '/webhooks/basiq', headers, payload: rawBody } as const;
  return (await api.app.inject(request)).statusCode;
};
const deps = () => ({ ...api, bankLink: basiq.bankLink, clock: { now: basiq.now }, statementName: 'SPARECHANGE' });
const sync = async (supporterId: string) => {
  await syncPurchases(inBucketOf(deps(), supporterId), supporterId);
  return 'asked' as const;
};
/** Handles kept notifications, and does the work they request. */
const handle = async () => {
  const handled = await handleNotifications(deps(), 'basiq');
  const poll = async (id: string) => {
    await refreshConsent(api.db.of(id), { now: basiq.now }, basiq.bankLink, id);
    return 'asked' as const;
  };
  await doDueWork(deps(), { sync, consent_poll: poll }, (_id, error) => {
    throw error;
  });
  return handled;
};
const kept = async () => (await api.rows`select 1 from notifications`).length;
const buy = () =>
  basiq.control('/purchases', {
    userId: supporter.bankCustomerId,
    amount: '4.35',
    date: '2026-11-18',
    description: 'KIOSK',
  });
const roundUps = async () => (await api.rows`select 1 from round_ups where description = 'KIOSK'`).length;
const isActive = async () => (await api.rows`select consent_active as active from supporters`)[0]?.active;

test('one that comes twice is kept once and acted on once', async () => {
  await basiq.control('/faults', { webhooks: 'basiq', duplicate: true, count: 1 });
  await buy();
  const messages = await arrivals();
  expect(messages).toHaveLength(2);
  for (const message of messages) expect(await take(message)).toBe(204);
  expect(await kept()).toBe(1);
  expect([await handle(), await handle()]).toEqual([1, 0]);
  expect(await roundUps()).toBe(1);
});

test('a forged one is refused and not kept; the genuine one that Basiq tries again with is', async () => {
  await basiq.control('/faults', { webhooks: 'basiq', badSignature: true, count: 1 });
  answered = 401;
  await buy();
  const [forged] = await arrivals();
  expect(forged && (await take(forged))).toBe(401);
  expect(await kept()).toBe(0);
  answered = 204;
  await basiq.pass(5_000);
  const [genuine] = await arrivals();
  expect(genuine?.headers['webhook-id']).toBe(forged?.headers['webhook-id']);
  expect(genuine && (await take(genuine))).toBe(204);
  expect(await kept()).toBe(1);
});

test('one that was taken down and is played again an hour later is refused', async () => {
  await buy();
  const [message] = await arrivals();
  await basiq.pass(3_600_000);
  expect(message && (await take(message))).toBe(401);
  expect(await kept()).toBe(0);
});

test('an older purchase reported after the end of the consent is not collected', async () => {
  await buy();
  await basiq.endConsent(supporter.bankCustomerId, 'revoked');
  for (const message of (await arrivals()).toReversed()) await take(message);
  await handle();
  expect([await isActive(), await roundUps()]).toEqual([false, 0]);
});

test('an older end reported after a new consent does not end it', async () => {
  await basiq.endConsent(supporter.bankCustomerId, 'revoked');
  await basiq.connect(supporter.bankCustomerId);
  for (const message of (await arrivals()).toReversed()) await take(message);
  await handle();
  expect(await isActive()).toBe(true);
});

test('an end that is not reported is detected before anything is collected', async () => {
  await basiq.control('/faults', { webhooks: 'basiq', drop: true });
  await buy();
  await basiq.endConsent(supporter.bankCustomerId, 'expired');
  expect(await arrivals()).toEqual([]);
  await sync(supporter.supporterId);
  expect([await isActive(), await roundUps()]).toEqual([false, 0]);
  expect(
    await refreshConsent(api.db.of(supporter.supporterId), { now: basiq.now }, basiq.bankLink, supporter.supporterId),
  ).toBe(false);
});
