import { addDays, type IsoDate, isoDate } from '@sparechange/domain';
import { beforeEach, expect, test } from 'vitest';
import type { BankTransaction } from '#ports/bank-link.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { inBucketOf } from '#testing/database.ts';
import { forgetEverything, type TestSupporter } from '#testing/makers.ts';
import { syncPurchases } from './sync-purchases.ts';

const api = ownApp();
let supporter: TestSupporter;
beforeEach(async () => {
  await forgetEverything(api.db);
  api.clock.setTo('2026-11-24T22:00:00Z');
  supporter = await api.supporter({ roundsFrom: '2026-11-01' });
});

const sync = () => syncPurchases(inBucketOf(api, supporter.supporterId), supporter.supporterId);
const buys = (overrides: Partial<BankTransaction> = {}) =>
  api.bankLink.addTransaction(supporter.bankCustomerId, overrides);
const today: IsoDate = isoDate('2026-11-25');

/** Returns the number of lines that a sync writes. */
async function linesWrittenBySync(): Promise<number> {
  const written = async () => {
    await api.rows`delete from ineligible_transactions where supporter_id = ${supporter.supporterId}`;
    await sync();
    return api.rows`select from ineligible_transactions where supporter_id = ${supporter.supporterId}`;
  };
  return (await written()).length;
}

test('a sync without new lines is not matched again', async () => {
  buys({ status: 'pending', day: today });
  expect(await linesWrittenBySync()).toBe(1);
  expect(await linesWrittenBySync()).toBe(0);
  buys({ status: 'pending', day: addDays(today, -1) });
  expect(await linesWrittenBySync()).toBe(2);
  api.bankLink.reissue(supporter.bankCustomerId, buys({ status: 'pending', day: today }));
  expect(await linesWrittenBySync()).toBe(3);
});

test('the same lines are matched again once their account is tracked', async () => {
  const { id } = supporter.account;
  await api.rows`update accounts set round_ups_on = false where id = ${id}`;
  buys({ day: today });
  expect(await sync()).toMatchObject({ transactions: 1, roundUps: 0 });
  await api.rows`update accounts set round_ups_on = true where id = ${id}`;
  expect(await sync()).toMatchObject({ transactions: 1, roundUps: 1 });
});

test('the same lines are matched again after a pause, with a later first day and after a deletion', async () => {
  buys({ status: 'pending', day: today });
  await sync();
  await api.rows`
    insert into pauses (supporter_id, paused_at, paused_on, resumed_on, reason)
    values (${supporter.supporterId}, ${api.clock.now()}, ${today}, ${today}, 'supporter')`;
  expect(await linesWrittenBySync()).toBe(1);
  await api.rows`update supporters set rounds_from = '2026-11-02' where supporter_id = ${supporter.supporterId}`;
  expect(await linesWrittenBySync()).toBe(1);
  await api.rows`update supporters set deleted_through_seq = 7 where supporter_id = ${supporter.supporterId}`;
  expect(await linesWrittenBySync()).toBe(1);
  expect(await linesWrittenBySync()).toBe(0);
});
