import { cents, isoDate } from '@sparechange/domain';
import { beforeEach, expect, test } from 'vitest';
import { deleteOutdated } from '#features/supporters/retention/delete-outdated.ts';
import type { BankTransaction } from '#ports/bank-link.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { inBucketOf } from '#testing/database.ts';
import { forgetEverything, type TestSupporter } from '#testing/makers.ts';
import { pauseRoundUps, resumeRoundUps } from './pause-round-ups.ts';
import { syncPurchases } from './sync-purchases.ts';

const api = ownApp();
let supporter: TestSupporter;
beforeEach(async () => {
  await forgetEverything(api.db);
  api.clock.setTo('2026-11-24T22:00:00Z');
  supporter = await api.supporter({ roundsFrom: '2026-11-01' });
});

const sync = () => syncPurchases(inBucketOf(api, supporter.supporterId), supporter.supporterId);
const bankShows = (description: string, overrides: Partial<BankTransaction> = {}) =>
  api.bankLink.addTransaction(supporter.bankCustomerId, { description, ...overrides });
const recorded = async () => {
  const rows = await api.rows`select description, reason from ineligible_transactions order by description`;
  return rows.map(({ description, reason }) => `${description}: ${reason}`);
};

test('a line that the supporter may ask about is recorded with the reason, and no other', async () => {
  bankShows('COFFEE');
  bankShows('RENT', { kind: 'transfer' });
  bankShows('ATM', { kind: 'cash-withdrawal' });
  bankShows('POWER', { isBillPayment: true });
  bankShows('LUNCH', { status: 'pending' });
  bankShows('SALARY', { direction: 'credit', kind: 'direct-credit' });
  bankShows('HOTEL', { currency: 'USD' });
  bankShows('NOTHING', { amount: cents(0) });
  bankShows('DIRECT DEBIT SPARECHANGE RU12345678');
  bankShows('BEFORE', { kind: 'transfer', day: isoDate('2026-10-31') });
  await sync();
  expect(await recorded()).toEqual([
    'ATM: not a payment',
    'LUNCH: pending',
    'POWER: bill payment',
    'RENT: not a payment',
  ]);
});

test('no line of an untracked account is stored', async () => {
  await api.rows`update accounts set round_ups_on = false`;
  bankShows('RENT', { kind: 'transfer' });
  await sync();
  expect(await recorded()).toEqual([]);
});

test('a pending line goes when the bank posts it under another id', async () => {
  const pending = bankShows('LUNCH', { status: 'pending' });
  await sync();
  expect(await recorded()).toEqual(['LUNCH: pending']);
  api.bankLink.removeTransaction(supporter.bankCustomerId, pending);
  bankShows('LUNCH');
  expect(await sync()).toMatchObject({ roundUps: 1 });
  expect(await recorded()).toEqual([]);
});

test('purchases of a pause are recorded after resuming; those recorded before it are not', async () => {
  bankShows('COFFEE', { day: isoDate('2026-11-25') });
  await sync();
  await pauseRoundUps(api.db.of(supporter.supporterId), api.clock, supporter.supporterId, 'supporter');
  api.clock.setTo('2026-11-26T22:00:00Z');
  bankShows('LUNCH');
  await sync();
  expect(await recorded()).toEqual([]);
  await resumeRoundUps(api.db.of(supporter.supporterId), api.clock, supporter.supporterId);
  bankShows('DINNER');
  await sync();
  expect(await recorded()).toEqual([]);
  api.clock.setTo('2026-11-27T22:00:00Z');
  bankShows('WEDNESDAY', { day: isoDate('2026-11-26') });
  await sync();
  expect(await recorded()).toEqual(['WEDNESDAY: paused']);
});

test('a repeated sync changes nothing, and a line under another id is recorded once', async () => {
  const rent = bankShows('RENT', { kind: 'transfer' });
  await sync();
  const version = () => api.db.of(supporter.supporterId)`select xmin::text from ineligible_transactions`;
  const before = await version();
  await sync();
  expect(await version()).toEqual(before);
  api.bankLink.reissue(supporter.bankCustomerId, rent);
  await sync();
  expect(await recorded()).toEqual(['RENT: not a payment']);
});

test('after 90 days it is deleted', async () => {
  bankShows('RENT', { kind: 'transfer' });
  await sync();
  const retention = { mails: 800, notifications: 90, timetableRuns: 400 };
  api.clock.setTo('2027-02-22T20:00:00Z');
  expect(await deleteOutdated({ ...api, retention })).toMatchObject({ ineligibleTransactions: 0 });
  api.clock.setTo('2027-02-23T20:00:00Z');
  expect(await deleteOutdated({ ...api, retention })).toMatchObject({ ineligibleTransactions: 1 });
  expect(await recorded()).toEqual([]);
});
