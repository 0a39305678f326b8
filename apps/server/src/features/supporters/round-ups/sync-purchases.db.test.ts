import { cents, isoDate } from '@sparechange/domain';
import { beforeEach, expect, test } from 'vitest';
import { withdrawHere } from '#features/supporters/consents/withdraw-consent.ts';
import { findUserRecordRow } from '#features/supporters/profiles/user-record-repository.ts';
import type { BankTransaction } from '#ports/bank-link.ts';
import { ProviderUnavailable } from '#ports/errors.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { inBucketOf } from '#testing/database.ts';
import { forgetEverything, type SupporterOverrides, type TestSupporter } from '#testing/makers.ts';
import { syncEverybody, syncPurchases } from './sync-purchases.ts';

const api = ownApp();
beforeEach(async () => {
  await forgetEverything(api.db);
  api.clock.setTo('2026-11-24T22:00:00Z');
});

const sync = ({ supporterId }: TestSupporter) => syncPurchases(inBucketOf(api, supporterId), supporterId);
const aSupporterWith = (overrides: SupporterOverrides = {}) =>
  api.supporter({ roundsFrom: '2026-11-01', ...overrides });
const buys = ({ bankCustomerId }: TestSupporter, overrides: Partial<BankTransaction> = {}) =>
  api.bankLink.addTransaction(bankCustomerId, overrides);
const days = async ({ supporterId }: TestSupporter) => {
  const rows = await api.rows`select posted_on from round_ups where supporter_id = ${supporterId} order by posted_on`;
  return rows.map((row) => row.posted_on);
};

test('purchases that the bank shows are recorded, and other lines only counted', async () => {
  const supporter = await aSupporterWith();
  buys(supporter);
  buys(supporter, { kind: 'transfer' });
  buys(supporter, { direction: 'credit' });
  buys(supporter, { status: 'pending' });
  buys(supporter, { description: 'DIRECT DEBIT SPARECHANGE RU12345678' });
  expect(await sync(supporter)).toEqual({ isAsked: true, transactions: 5, roundUps: 1, roundUpCents: 65 });
});

test('once a day the banks are asked for fresh data, after their existing data was recorded', async () => {
  const supporter = await aSupporterWith();
  buys(supporter);
  const order: string[] = [];
  const refresh = async () => {
    order.push(`refresh after ${(await days(supporter)).length}`);
    throw new ProviderUnavailable('429');
  };
  await expect(
    syncPurchases(
      inBucketOf({ ...api, bankLink: { ...api.bankLink, refresh } }, supporter.supporterId),
      supporter.supporterId,
    ),
  ).rejects.toThrow('429');
  expect(order).toEqual(['refresh after 1']);
  const refreshes = () => api.bankLink.customers.find(({ id }) => id === supporter.bankCustomerId)?.refreshes;
  await sync(supporter);
  expect(refreshes()).toBe(0);
  for (const instant of ['2026-11-25T13:00:00Z', '2026-11-26T12:59:00Z']) {
    api.clock.setTo(instant);
    await sync(supporter);
    expect(refreshes()).toBe(1);
  }
});

test('fetching again records nothing again, also when the bank has re-issued a transaction', async () => {
  const supporter = await aSupporterWith();
  const id = buys(supporter);
  await sync(supporter);
  api.bankLink.reissue(supporter.bankCustomerId, id);
  expect(await sync(supporter)).toMatchObject({ transactions: 1, roundUps: 0 });
});

test('the first time everything since the supporter began to give is fetched', async () => {
  const supporter = await aSupporterWith();
  for (const day of ['2026-10-31', '2026-11-01', '2026-11-24']) buys(supporter, { day: isoDate(day) });
  expect(await sync(supporter)).toMatchObject({ transactions: 2 });
  expect(await days(supporter)).toEqual(['2026-11-01', '2026-11-24']);
});

test('later syncs read the last fourteen days again, because purchases are posted late', async () => {
  const supporter = await aSupporterWith({ roundsFrom: '2026-10-01' });
  await sync(supporter);
  for (const day of ['2026-11-10', '2026-11-11']) buys(supporter, { day: isoDate(day) });
  expect(await sync(supporter)).toMatchObject({ transactions: 1 });
  expect(await days(supporter)).toEqual(['2026-11-11']);
});

test('after the bank was unavailable for a month nothing is missed', async () => {
  const supporter = await aSupporterWith();
  await sync(supporter);
  buys(supporter, { day: isoDate('2026-11-26') });
  api.bankLink.setUnreachable(true, supporter.bankCustomerId);
  for (const day of ['2026-12-10', '2026-12-27']) {
    api.clock.setTo(`${day}T00:00:00Z`);
    await expect(sync(supporter)).rejects.toThrow();
  }
  api.bankLink.setUnreachable(false, supporter.bankCustomerId);
  await sync(supporter);
  expect(await days(supporter)).toEqual(['2026-11-26']);
});

test('after a bank has sent nothing for two months, though the provider answered, its next data is all recorded', async () => {
  const supporter = await aSupporterWith();
  await sync(supporter);
  api.bankLink.setSilent(supporter.bankCustomerId, true);
  for (const day of ['2026-12-10', '2027-01-24']) {
    api.clock.setTo(`${day}T00:00:00Z`);
    await sync(supporter);
  }
  const known = await findUserRecordRow(api.db.of(supporter.supporterId), supporter.supporterId, isoDate('2027-01-25'));
  expect(known?.dataOn).toBe('2026-11-25');
  api.bankLink.setSilent(supporter.bankCustomerId, false);
  for (const day of ['2026-11-26', '2026-12-24', '2027-01-23']) buys(supporter, { day: isoDate(day) });
  for (const _time of [1, 2]) await sync(supporter);
  expect(await days(supporter)).toEqual(['2026-11-26', '2026-12-24', '2027-01-23']);
});

test('after a consent that ended nothing is fetched, and the supporter holds none', async () => {
  const supporter = await aSupporterWith();
  buys(supporter);
  api.bankLink.endConsent(supporter.bankCustomerId, 'revoked');
  expect(await sync(supporter)).toEqual({ isAsked: true, transactions: 0, roundUps: 0, roundUpCents: 0 });
  const [row] = await api.rows`select consent_active from supporters where supporter_id = ${supporter.supporterId}`;
  expect(row).toEqual({ consent_active: false });
});

test("a bank's answer during the withdrawal of the consent is not stored: accounts, purchases, refunds", async () => {
  const supporter = await aSupporterWith();
  const { supporterId, bankCustomerId } = supporter;
  buys(supporter, { description: 'A SHOP', day: isoDate('2026-11-20') });
  await sync(supporter);
  await api.rows`update supporters set synced_at = null, statement_digest = null where supporter_id = ${supporterId}`;
  buys(supporter, { description: 'A SHOP', day: isoDate('2026-11-21'), direction: 'credit', kind: 'refund' });
  buys(supporter, { day: isoDate('2026-11-22') });
  const [listed] = await api.bankLink.listAccounts(bankCustomerId);
  if (!listed) throw new Error('The bank shows no account.');
  const bankLink = {
    ...api.bankLink,
    listAccounts: async () => {
      await api.db.of(supporterId).begin((tx) => withdrawHere(tx, api.clock, supporterId, 'supporter'));
      return [listed, { ...listed, id: 'another', accountNumber: '12345678', displayNumber: '12345678' }];
    },
  };
  await syncPurchases(inBucketOf({ ...api, bankLink }, supporterId), supporterId);
  const [row] = await api.rows`
    select (select count(*) from accounts where supporter_id = ${supporterId}) as accounts,
      (select count(*) from round_ups where supporter_id = ${supporterId}) as "roundUps",
      (select count(*) from purchase_refunds where supporter_id = ${supporterId}) as refunds,
      synced_at from supporters where supporter_id = ${supporterId}`;
  expect(row).toEqual({ accounts: 1, roundUps: 1, refunds: 0, synced_at: null });
});

/** Makes purchases before, during and after a lapse of consent. */
async function lapses(as: 'expired' | 'revoked'): Promise<TestSupporter> {
  const supporter = await aSupporterWith();
  const accountId = supporter.account.providerAccountId;
  buys(supporter, { day: isoDate('2026-11-24'), accountId });
  await sync(supporter);
  api.bankLink.endConsent(supporter.bankCustomerId, as);
  api.clock.setTo('2026-12-01T00:00:00Z');
  await sync(supporter);
  api.clock.setTo('2026-12-20T00:00:00Z');
  api.bankLink.connect(supporter.bankCustomerId, [{ id: accountId }]);
  for (const day of ['2026-11-24', '2026-12-04', '2026-12-20']) buys(supporter, { day: isoDate(day), accountId });
  return supporter;
}

test('after a consent expired and was renewed late, purchases of the gap are recorded once', async () => {
  const supporter = await lapses('expired');
  expect(await days(supporter)).toEqual(['2026-11-24']);
  const [again] = await Promise.all([sync(supporter), sync(supporter)]);
  await sync(supporter);
  expect(again.transactions).toBe(3);
  expect(await days(supporter)).toEqual(['2026-11-24', '2026-12-04', '2026-12-20']);
});

test('purchases between a withdrawal and a new consent are not recorded', async () => {
  const supporter = await lapses('revoked');
  await sync(supporter);
  expect(await days(supporter)).toEqual(['2026-11-24', '2026-12-20']);
});

test('from the day the campaign ends purchases give nothing', async () => {
  const supporter = await aSupporterWith({ tenantKey: 'ended' });
  for (const day of ['2026-11-24', '2026-11-25']) buys(supporter, { day: isoDate(day) });
  await sync(supporter);
  expect(await days(supporter)).toEqual(['2026-11-24']);
});

test('nothing is fetched for unknown supporters or before onboarding is finished', async () => {
  const supporter = await aSupporterWith({ roundsFrom: null });
  buys(supporter);
  expect(await sync(supporter)).toMatchObject({ transactions: 0 });
  expect(
    await syncPurchases(
      inBucketOf(api, '00000000-0000-0000-0000-000000000000'),
      '00000000-0000-0000-0000-000000000000',
    ),
  ).toMatchObject({ transactions: 0 });
});

test('one bank that does not answer does not hold up the others, and is named', async () => {
  const supporters = [await aSupporterWith(), await aSupporterWith(), await aSupporterWith()];
  for (const supporter of supporters) buys(supporter, { amount: cents(101) });
  const away = supporters[1] as TestSupporter;
  api.bankLink.setUnreachable(true, away.bankCustomerId);
  const failed: string[] = [];
  const report = await syncEverybody(api, (supporterId) => failed.push(supporterId));
  expect(report).toEqual({ transactions: 2, roundUps: 2, roundUpCents: 198, failed: 1, leftToWorkers: 0 });
  expect(failed).toEqual([away.supporterId]);
});

test('everybody is synced, page after page', async () => {
  const supporter = await aSupporterWith();
  await api.rows`
    insert into supporters (supporter_id, uid, email, first_name, last_name, mobile, tenant_key, club_id, registered_at,
      bank_customer_id, consent_active, onboarded_on, rounds_from)
    select gen_random_uuid(), number, number, 'a', 'b', '0400000000', 'default', ${supporter.clubId}, now(),
      'unknown customer', false, '2026-11-01', '2026-11-01' from generate_series(1, 450) as number`;
  const asked: string[] = [];
  const listConsents = async (customerId: string) => {
    asked.push(customerId);
    return [];
  };
  await syncEverybody({ ...api, bankLink: { ...api.bankLink, listConsents } }, () => {});
  expect(asked).toHaveLength(451);
});
