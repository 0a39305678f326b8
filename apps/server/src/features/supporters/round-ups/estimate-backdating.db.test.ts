import { onboardingComplete, retrieveBackdating } from '@sparechange/contract';
import { cents, isoDate } from '@sparechange/domain';
import { beforeEach, expect, test } from 'vitest';
import type { BankTransaction } from '#ports/bank-link.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { inBucketOf } from '#testing/database.ts';
import type { TestSupporter } from '#testing/makers.ts';
import { syncPurchases } from './sync-purchases.ts';

const api = ownApp();
let supporter: TestSupporter;
beforeEach(async () => {
  api.clock.setTo('2026-11-24T22:00:00Z'); // 25 November in Sydney
  supporter = await api.supporter();
  await api.rows`
    update supporters set onboarded_on = null, rounds_from = null where supporter_id = ${supporter.supporterId}`;
});

const buys = (overrides: Partial<BankTransaction>) => api.bankLink.addTransaction(supporter.bankCustomerId, overrides);
const estimate = async () => {
  const { supporterId: cdrid, uid } = supporter;
  return (await api.call(retrieveBackdating, { cdrid }, { uid })).body.backdating;
};

test("this month's purchases before today are estimated, and backdating records just these", async () => {
  buys({ day: isoDate('2026-10-31') });
  buys({ day: isoDate('2026-11-01'), amount: cents(4_35) });
  buys({ day: isoDate('2026-11-24'), amount: cents(8_00) });
  buys({ day: isoDate('2026-11-20'), kind: 'transfer' });
  buys({ day: isoDate('2026-11-20'), accountId: 'an account that is not tracked' });
  expect(await estimate()).toEqual({ purchases: 1, cents: 65 }); // the other is of an exact amount
  const { supporterId: cdrid, uid } = supporter;
  await api.call(onboardingComplete, { cdrid, syncBeginningOfMonth: true }, { uid });
  const recorded = await syncPurchases(inBucketOf(api, cdrid), cdrid);
  expect(recorded).toMatchObject({ roundUps: 2, roundUpCents: 65 });
});

test('a purchase that gives nothing is not counted: one of an exact amount, or one above the weekly limit', async () => {
  for (const amount of [4_35, 8_00, 12_00]) buys({ day: isoDate('2026-11-24'), amount: cents(amount) });
  expect(await estimate()).toEqual({ purchases: 1, cents: 65 });
  await api.rows`
    update supporters set weekly_limit_cents = 750, round_up_step = 500 where supporter_id = ${supporter.supporterId}`;
  for (const day of ['2026-11-16', '2026-11-17', '2026-11-18']) buys({ day: isoDate(day), amount: cents(6_00) });
  expect(await estimate()).toEqual({ purchases: 5, cents: 7_50 + 65 + 2_00 + 3_00 });
});

test('a purchase of today adds nothing to the estimate', async () => {
  buys({ day: isoDate('2026-11-25') });
  expect(await estimate()).toEqual({ purchases: 0, cents: 0 });
});

test('without an answer of the bank, and once answered, there is no estimate', async () => {
  buys({ day: isoDate('2026-11-24') });
  api.bankLink.failNext();
  expect(await estimate()).toBeNull();
  const { supporterId: cdrid, uid } = supporter;
  await api.call(onboardingComplete, { cdrid, syncBeginningOfMonth: false }, { uid });
  expect(await estimate()).toBeNull();
});
