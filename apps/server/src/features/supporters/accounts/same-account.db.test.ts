import * as contract from '@sparechange/contract';
import { isoDate } from '@sparechange/domain';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { saveConfirmedJob } from '#features/supporters/consents/consent-link-repository.ts';
import { syncPurchases } from '#features/supporters/round-ups/sync-purchases.ts';
import { makeFieldEncryption } from '#secrets/field-encryption.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { inBucketOf } from '#testing/database.ts';
import { anAccount, type TestSupporter, testKey } from '#testing/makers.ts';
import { findOpenReview, refuseUnlessApproved } from './holder-review.ts';
import { reidentifyAccounts } from './reidentify-accounts.ts';
import { storeAccounts } from './store-accounts.ts';

const api = ownApp();
let supporter: TestSupporter;

const number = { bsb: '062000', accountNumber: '44445555' };
const bank = () => supporter.bankCustomerId;
const sync = () => syncPurchases(inBucketOf(api, supporter.supporterId), supporter.supporterId);
const retrieve = () => api.call(contract.retrieveAccounts, { cdrid: supporter.supporterId }, { uid: supporter.uid });
const listed = async () => {
  const { supporterId: userId, uid } = supporter;
  return (await api.call(contract.accounts, { userId }, { uid })).body.accountsData.documents;
};
const roundUps = () => api.rows<{ day: string; cents: number }[]>`
  select posted_on as day, raw_cents as cents from round_ups where supporter_id = ${supporter.supporterId} order by seq`;
const newest = () => api.bankLink.customers.find(({ id }) => id === bank())?.accounts.at(-1)?.id ?? '';
const buy = (accountId: string, day: string, description = 'TWICE SHOP') =>
  api.bankLink.addTransaction(bank(), { accountId, day: isoDate(day), description });

beforeEach(async () => {
  supporter = await api.supporter({ roundsFrom: '2026-10-01' });
  const [customer] = api.bankLink.customers.filter(({ id }) => id === bank());
  Object.assign(customer?.accounts[0] ?? {}, number);
  await retrieve();
});
afterEach(() => api.clock.setTo('2026-11-24T20:00:00Z'));

test('a second connection to the same bank shows the account once, and a purchase is rounded once', async () => {
  const first = newest();
  api.bankLink.connect(bank(), [{ ...number, accountNumber: '044445555', name: 'Renamed' }]);
  await retrieve();
  const documents = await listed();
  expect(documents).toMatchObject([
    { _id: supporter.account.id, id: newest(), name: 'Renamed', activeRoundUpsEnabled: true, activeDebitEnabled: true },
  ]);
  buy(first, '2026-11-24');
  buy(newest(), '2026-11-24');
  await sync();
  await sync();
  expect([...(await roundUps())]).toEqual([{ day: '2026-11-24', cents: 65 }]);
  buy(newest(), '2026-11-24');
  await sync();
  expect(await roundUps()).toHaveLength(2);
});

test('an account that the bank shows unchanged is not written again', async () => {
  const version = async () => {
    await retrieve();
    const [row] = await api.db.of(supporter.supporterId)`
      select xmin::text as version, masked_number as masked, name from accounts where supporter_id = ${supporter.supporterId}`;
    return row;
  };
  const shown = api.bankLink.customers.find(({ id }) => id === bank())?.accounts[0] ?? {};
  const first = await version();
  expect(await version()).toEqual(first);
  Object.assign(shown, { name: 'Renamed' });
  const renamed = await version();
  expect(renamed).toMatchObject({ name: 'Renamed' });
  expect(renamed?.version).not.toBe(first?.version);
  Object.assign(shown, { accountNumber: '44446666' });
  expect((await version())?.masked).not.toBe(first?.masked);
  await api.rows`update accounts set is_listed = false, missing_since = now() where supporter_id = ${supporter.supporterId}`;
  await retrieve();
  expect(await listed()).toHaveLength(1);
});

test('after a late renewal under new ids the gap is filled once', async () => {
  buy(newest(), '2026-11-20', 'BEFORE');
  await sync();
  api.bankLink.endConsent(bank(), 'expired');
  api.clock.setTo('2026-12-20T20:00:00Z');
  await sync();
  api.bankLink.connect(bank(), [number]);
  for (const [day, description] of [
    ['2026-11-20', 'BEFORE'],
    ['2026-11-26', 'MEANWHILE'],
    ['2026-12-20', 'TODAY'],
  ] as const)
    buy(newest(), day, description);
  await sync();
  await retrieve();
  await sync();
  expect((await roundUps()).map(({ day }) => day)).toEqual(['2026-11-20', '2026-11-26', '2026-12-20']);
  expect(await listed()).toMatchObject([{ _id: supporter.account.id, activeDebitEnabled: true }]);
});

test('an account under a new id is recognised by the sync, also by the second of a day', async () => {
  await sync();
  const [customer] = api.bankLink.customers.filter(({ id }) => id === bank());
  customer?.accounts.splice(0);
  api.bankLink.connect(bank(), [number]);
  buy(newest(), '2026-11-24');
  await sync();
  expect(await roundUps()).toHaveLength(1);
});

test('cards are recognised by bank, kind and last digits, and two alike in one connection stay two', async () => {
  const card = { kind: 'credit-card', bsb: undefined, accountNumber: undefined, institution: 'AU00101' };
  const once = { ...card, displayNumber: '4564 12xx xxxx 9876', connectionId: 'one' };
  api.bankLink.connect(bank(), [once]);
  await retrieve();
  for (const connectionId of ['one', 'two']) {
    await saveConfirmedJob(api.db.of(supporter.supporterId), supporter.supporterId, {
      jobId: connectionId,
      connectionId,
      at: api.clock.now(),
    });
  }
  api.bankLink.connect(bank(), [{ ...once, connectionId: 'two', displayNumber: 'xxxx9876' }]);
  await retrieve();
  expect(await listed()).toHaveLength(2);
  api.bankLink.connect(bank(), [{ ...once, connectionId: 'one' }]);
  await retrieve();
  expect(await listed()).toHaveLength(4);
});

/** Stores the account twice, under two ids of the bank; returns the second. */
async function keptTwice() {
  api.bankLink.connect(bank(), [number]);
  const second = await anAccount(api.db, supporter, { providerAccountId: newest(), roundUpsOn: true });
  await api.rows`
    update accounts double set identity = null, bsb_encrypted = one.bsb_encrypted, account_number_encrypted = one.account_number_encrypted
    from accounts one where one.id = ${supporter.account.id} and double.id = ${second.id}`;
  return second;
}

test('accounts stored twice become one, with the choices of both and nothing rounded again', async () => {
  const first = newest();
  await keptTwice();
  await api.rows`update accounts set round_ups_on = false where id = ${supporter.account.id}`;
  buy(newest(), '2026-11-24');
  await sync();
  expect(await roundUps()).toHaveLength(1);
  buy(first, '2026-11-24');
  await retrieve();
  await sync();
  expect(await roundUps()).toHaveLength(1);
  expect(await listed()).toMatchObject([
    { _id: supporter.account.id, activeRoundUpsEnabled: true, activeDebitEnabled: true },
  ]);
});

test("when accounts are merged, the second one's review applies to the first", async () => {
  const { id } = await keptTwice();
  const { supporterId } = supporter;
  await refuseUnlessApproved(inBucketOf(api, supporterId), supporterId, id).catch(() => undefined);
  await retrieve();
  expect(await findOpenReview(api.db.of(supporterId), supporterId, supporter.account.id)).toBeDefined();
});

test('merging an account with another while it is chosen to be debited leaves the other one to be debited', async () => {
  const second = await keptTwice();
  const { supporterId: cdrid, uid } = supporter;
  const { createMandate } = api.directDebit;
  api.directDebit.createMandate = async (request) => {
    await retrieve();
    return createMandate(request);
  };
  const chosen = { account_id: second.id, accountId: second.providerAccountId, tenantA: 'default' };
  const answer = await api.call(contract.registerFunding, { ...chosen, cdrid, activeDebitEnabled: true }, { uid });
  api.directDebit.createMandate = createMandate;
  expect(answer.status).toBe(200);
  expect(await listed()).toMatchObject([{ _id: supporter.account.id, activeDebitEnabled: true }]);
});

test('a new data key does not affect the identity of accounts, before and after re-encryption', async () => {
  const bothKeys = makeFieldEncryption([Buffer.alloc(32, 9), testKey]);
  const show = () => api.bankLink.listAccounts(bank());
  const keep = async (encryption: typeof bothKeys) =>
    storeAccounts(
      { db: api.db.of(supporter.supporterId), encryption },
      supporter.supporterId,
      await show(),
      api.clock.now(),
    );
  api.bankLink.connect(bank(), [number]);
  await keep(bothKeys);
  expect(await listed()).toHaveLength(1);
  await keep(makeFieldEncryption([testKey]));
  expect(await reidentifyAccounts(api.db, bothKeys)).toBeGreaterThan(0);
  expect(await reidentifyAccounts(api.db, bothKeys)).toBe(0);
  api.bankLink.connect(bank(), [number]);
  await keep(makeFieldEncryption([Buffer.alloc(32, 9)]));
  expect(await listed()).toHaveLength(1);
  await keep(makeFieldEncryption([testKey]));
});

test('one empty list switches nothing off; an account left out is not used until it is back, with its choices', async () => {
  const [customer] = api.bankLink.customers.filter(({ id }) => id === bank());
  const own = customer?.accounts.splice(0) ?? [];
  expect((await retrieve()).status).toBe(200);
  expect(await listed()).toMatchObject([{ activeRoundUpsEnabled: true, activeDebitEnabled: true }]);
  api.bankLink.connect(bank(), [{ accountNumber: '99998888' }]);
  await retrieve();
  expect((await listed()).map(({ activeDebitEnabled }) => activeDebitEnabled)).toEqual([false]);
  customer?.accounts.push(...own);
  await retrieve();
  expect(await listed()).toContainEqual(
    expect.objectContaining({ _id: supporter.account.id, activeRoundUpsEnabled: true, activeDebitEnabled: true }),
  );
});
