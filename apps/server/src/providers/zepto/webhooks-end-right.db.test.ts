import { isoDate } from '@sparechange/domain';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkNotifiedMandates, pollMandates } from '#features/collections/debits/check-mandates.ts';
import { planDebits } from '#features/collections/debits/plan-debits.ts';
import { submitDebits } from '#features/collections/debits/submit-debits.ts';
import { pollOutcomes } from '#features/collections/outcomes/poll-outcomes.ts';
import { handleNotifications } from '#features/collections/webhooks/handle-notifications.ts';
import { auditBooks } from '#features/core/ledger/audit-books.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { type AppUnderTest, anApp } from '#testing/app-under-test.ts';
import { aPurchase, aSupporter } from '#testing/makers.ts';
import type { Received } from '../testing/local-server.ts';
import { zeptoOnSandbox } from '../testing/zepto-on-sandbox.ts';

type Zepto = Awaited<ReturnType<typeof zeptoOnSandbox>>;
let zepto: Zepto;
let api: AppUnderTest;
let seen = 0;

beforeEach(async () => {
  seen = 0;
  zepto = await zeptoOnSandbox();
  api = await anApp({ directDebit: zepto.directDebit, clock: { now: zepto.now } });
});
afterEach(() => Promise.all([api.close(), zepto.close()]));

const deps = () => ({
  ...api,
  directDebit: zepto.directDebit,
  clock: { now: zepto.now },
  statementName: 'SPARECHANGE',
});

/** A submitted debit of 70 cents, on the sandbox's Wednesday. */
async function aDebit(): Promise<void> {
  const supporter = await aSupporter(api.db, { directDebit: zepto.directDebit });
  await recordRoundUps(api.db.of(supporter.supporterId), zepto.now(), [aPurchase(supporter, { day: '2026-11-17' })]);
  await planDebits(api.db, deps().clock, api.tenants, isoDate('2026-11-18'));
  await submitDebits(deps());
  await arrivals();
}
/** Returns the messages the sandbox sent since the last call. */
async function arrivals(): Promise<Received[]> {
  const all = await zepto.delivered();
  const fresh = all.slice(seen);
  seen = all.length;
  return fresh;
}
const take = async ({ rawBody, headers }: Received): Promise<number> => {
  const request = { method: 'POST', url: '/webhooks/zepto', headers, payload: rawBody } as const;
  return (await api.app.inject(request)).statusCode;
};
const handle = () => handleNotifications({ ...deps(), callsInFlight: 32 }, 'zepto');
const state = async () =>
  (await api.rows<{ state: string }[]>`select state from debits`).map((row) => row.state).join();
const healthy = async () => expect((await auditBooks(api.db)).violations).toEqual([]);

test('all notifications, twice and in reverse order, settle a debit once', async () => {
  await aDebit();
  await zepto.control('POST', '/faults', { webhooks: 'zepto', duplicate: true });
  await zepto.settle();
  const messages = await arrivals();
  const ids = new Set(messages.map(({ headers }) => headers['split-request-id']));
  expect(messages.length).toBeGreaterThan(ids.size);
  for (const message of messages.toReversed()) expect(await take(message)).toBe(204);
  expect(await handle()).toBe(ids.size);
  expect(await handle()).toBe(0);
  expect(await state()).toBe('cleared');
  await healthy();
});

/** Returns a notification under another, unsigned request id. */
const under = (message: Received, prefix: string): Received => ({
  ...message,
  headers: { ...message.headers, 'split-request-id': `${prefix}${message.headers['split-request-id']}` },
});

test('a recording sent again under other request ids is taken once', async () => {
  await aDebit();
  await zepto.settle();
  const messages = await arrivals();
  for (const id of ['', 'a', 'b', 'c']) {
    for (const message of messages) expect(await take(under(message, id))).toBe(204);
  }
  expect(await api.rows`select 1 from notifications`).toHaveLength(messages.length);
  expect(await handle()).toBe(messages.length);
  expect(await state()).toBe('cleared');
  await healthy();
});

test('a return after clearing reported before the clearing ends as returned money', async () => {
  await aDebit();
  await zepto.settle();
  const [payment] = await zepto.control('GET', '/payments');
  await zepto.returnLate(payment.ref, 2);
  for (const message of (await arrivals()).toReversed()) await take(message);
  await handle();
  await pollOutcomes(deps());
  expect(['returned', 'reversed']).toContain(await state());
  const [row] =
    await api.rows`select coalesce(sum(cents), 0)::int as cents from ledger_balances where account = 'cash'`;
  expect(row).toEqual({ cents: 0 });
  await healthy();
});

test('forged ones are refused, and what Zepto then takes for delivered is found by asking', async () => {
  await aDebit();
  await zepto.control('POST', '/faults', { webhooks: 'zepto', badSignature: true });
  await zepto.settle();
  const forged = await arrivals();
  expect(forged.length).toBeGreaterThan(0);
  for (const message of forged) expect(await take(message)).toBe(401);
  expect([await handle(), await state()]).toEqual([0, 'submitted']);
  await pollOutcomes(deps());
  expect(await state()).toBe('cleared');
  await healthy();
});

test('what nobody tells is found by asking, and with its code', async () => {
  await aDebit();
  await zepto.control('POST', '/faults', { webhooks: 'zepto', drop: true });
  const [payment] = await zepto.control('GET', '/payments');
  await zepto.returnLate(payment.ref, 6);
  await pollOutcomes(deps());
  expect(await state()).toBe('returned');
  await healthy();
});

const funding = async () => {
  const [row] = await api.rows`select unusable_because from accounts where is_funding`;
  return row?.unusable_because;
};
const mandateMails = () => api.rows`select 1 from mails where facts ->> 'kind' = 'mandate_cancelled'`;
const cancelAtBank = () => zepto.control('POST', '/agreements/cancel', { email: 'robin@example.com' });

test('a mandate that its payer cancels at the bank is known immediately, and reported once', async () => {
  await aDebit();
  await zepto.control('POST', '/faults', { webhooks: 'zepto', duplicate: true });
  expect(await cancelAtBank()).toMatchObject({ cancelled: [expect.stringMatching(/^A\./)] });
  for (const message of await arrivals()) expect(await take(message)).toBe(204);
  await handle();
  expect([await funding(), (await mandateMails()).length]).toEqual(['mandate_cancelled', 1]);
  expect(await state()).toBe('submitted');
  await healthy();
});

test('a mandate whose end nobody tells is found by the daily poll', async () => {
  await aDebit();
  await zepto.control('POST', '/faults', { webhooks: 'zepto', drop: true });
  await cancelAtBank();
  expect(await pollMandates(deps(), () => undefined)).toEqual({ cancelled: 1, failed: 0 });
  expect(await pollMandates(deps(), () => undefined)).toEqual({ cancelled: 0, failed: 0 });
  expect([await funding(), (await mandateMails()).length]).toEqual(['mandate_cancelled', 1]);
  await healthy();
});

test('an old notification about a mandate changes nothing while the provider says that it is in effect', async () => {
  await aDebit();
  const [mandate] = await api.rows<{ ref: string }[]>`select mandate_ref as ref from mandates`;
  await checkNotifiedMandates(deps(), [mandate?.ref ?? '', 'somebody else']);
  expect([await funding(), (await mandateMails()).length]).toEqual([null, 0]);
});
