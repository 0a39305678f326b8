import { cents } from '@sparechange/domain';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Db } from '#db/connect.ts';
import { requestDonation } from '#features/collections/donations/request-donation.ts';
import { applyOutcome } from '#features/collections/outcomes/apply-outcome.ts';
import { auditBooks } from '#features/core/ledger/audit-books.ts';
import { markDue, markDueOfCustomers } from '#features/core/supporter-work/work-repository.ts';
import { refreshConsent } from '#features/supporters/consents/refresh-consent.ts';
import { aConsentLifecycle, type ConsentLifecycle } from '#features/supporters/consents/testing/consent-lifecycle.ts';
import { inBucketOf } from '#testing/database.ts';
import { cleared, testEncryption } from '#testing/makers.ts';
import { closeSupporter } from './close-supporter.ts';
import { exportSupporter } from './export-supporter.ts';
import { runConsents } from './run-consents.ts';

let world: ConsentLifecycle;
let removed: string[];
beforeAll(async () => {
  world = await aConsentLifecycle();
});
afterAll(() => world.database.drop());
beforeEach(() => {
  world.goToDay(0);
  removed = [];
});

const deps = () => ({
  ...world,
  removeUser: async (_tx: Db, uid: string) => {
    removed.push(uid);
    return 'removed' as const;
  },
});

test('closing withdraws consent and mandate at the providers, ends sign-in and deletes the bank data', async () => {
  const supporter = await world.supporter();
  await world.buys(supporter, 70);
  const closed = await closeSupporter(inBucketOf(deps(), supporter.supporterId), supporter.supporterId, 'operator');
  expect(closed).toEqual({
    identity: 'removed',
    bankData: 'deleted',
    inFlight: { debits: 0, totalCents: 0 },
    setAsideCents: 0,
  });
  expect(removed).toEqual([supporter.uid]);
  expect((await world.bankLink.listConsents(supporter.bankCustomerId)).map(({ state }) => state)).toEqual(['revoked']);
  expect(world.directDebit.mandates.at(-1)?.isCancelled).toBe(true);
  expect(await world.kindsMailed(supporter)).toEqual(['account_closed']);
  expect((await auditBooks(world.db)).violations).toEqual([]);
});

test('closing emails the donor of a cancelled one-off donation, as stopping does', async () => {
  const supporter = await world.supporter();
  const { supporterId } = supporter;
  const gift = { amount: cents(25_00), requestId: 'gift' };
  await requestDonation(world.db.of(supporterId), world.clock, world.tenants, supporterId, gift);
  await closeSupporter(inBucketOf(deps(), supporterId), supporterId, 'operator');
  expect((await world.kindsMailed(supporter)).toSorted()).toEqual(['account_closed', 'donation_refused']);
});

test('closing forgets waiting work, and notifications create none again', async () => {
  const { supporterId, bankCustomerId } = await world.supporter();
  await markDue(world.db.of(supporterId), 'sync', supporterId, world.clock.now());
  await closeSupporter(inBucketOf(deps(), supporterId), supporterId, 'operator');
  const news = { kind: 'consent_poll', customerId: bankCustomerId } as const;
  expect(await markDueOfCustomers(world.db.of(supporterId), [news], world.clock.now())).toEqual([]);
  expect([...(await world.rows`select kind from supporter_work where supporter_id = ${supporterId}`)]).toEqual([]);
});

test('payments in flight are listed and complete, and then the bank data is deleted by the daily run', async () => {
  const supporter = await world.supporter({ savings: true });
  await world.buys(supporter, 70);
  const debit = await world.debits(supporter);
  const closed = await closeSupporter(inBucketOf(deps(), supporter.supporterId), supporter.supporterId, 'operator');
  expect(closed).toMatchObject({ bankData: 'debits under way', inFlight: { debits: 1, totalCents: 70 } });
  await applyOutcome(world, cleared(world.directDebit.takenOf(debit).at(-1)?.providerRef ?? ''));
  expect(await runConsents(world, () => {})).toMatchObject({ deleted: 1 });
  expect(
    await closeSupporter(inBucketOf(deps(), supporter.supporterId), supporter.supporterId, 'operator'),
  ).toMatchObject({
    bankData: 'nothing to delete',
    setAsideCents: 35,
  });
});

test('a provider that does not answer is asked again by closing again; nothing is collected in between', async () => {
  const supporter = await world.supporter();
  world.bankLink.setUnreachable(true, supporter.bankCustomerId);
  await expect(
    closeSupporter(inBucketOf(deps(), supporter.supporterId), supporter.supporterId, 'operator'),
  ).rejects.toThrow();
  expect(removed).toEqual([supporter.uid]);
  world.bankLink.setUnreachable(false, supporter.bankCustomerId);
  expect(
    await refreshConsent(world.db.of(supporter.supporterId), world.clock, world.bankLink, supporter.supporterId),
  ).toBe(false);
  expect(
    await closeSupporter(inBucketOf(deps(), supporter.supporterId), supporter.supporterId, 'operator'),
  ).toMatchObject({ bankData: 'deleted' });
});

test('an export holds every table with rows of the supporter, and nothing of anybody else', async () => {
  const [mine, others] = [await world.supporter({ savings: true }), await world.supporter({ savings: true })];
  for (const supporter of [mine, others]) await world.buys(supporter, 70);
  await world.debits(mine);
  const { tables } = await exportSupporter(
    { db: world.db.of(mine.supporterId), encryption: testEncryption },
    mine.supporterId,
  );
  for (const name of [
    'supporters',
    'accounts',
    'round_ups',
    'debits',
    'mandates',
    'savings_accounts',
    'ledger_entries',
  ])
    expect(Object.keys(tables)).toContain(name);
  const text = JSON.stringify(tables);
  expect(text).toContain(mine.email);
  for (const foreign of [others.supporterId, others.uid, others.email]) expect(text).not.toContain(foreign);
});

test('account numbers are in an export only on request', async () => {
  const { supporterId } = await world.supporter({ savings: true });
  const deps = { db: world.db, encryption: testEncryption };
  const text = JSON.stringify((await exportSupporter(inBucketOf(deps, supporterId), supporterId)).tables);
  expect(text).toContain('XXXX5678');
  expect(text).not.toMatch(/12345678|87654321|encrypted/);
  const { tables } = await exportSupporter(inBucketOf(deps, supporterId), supporterId, { withAccountNumbers: true });
  expect(tables.accounts).toMatchObject([{ bsb: '062000', account_number: '12345678' }]);
  expect(tables.savings_accounts).toMatchObject([{ bsb: '062000', account_number: '87654321' }]);
});
