import { accounts, onboardingComplete, retrieveAccountEstimates } from '@sparechange/contract';
import { cents, isoDate } from '@sparechange/domain';
import { beforeEach, expect, test } from 'vitest';
import type { BankTransaction } from '#ports/bank-link.ts';
import { ownApp } from '#testing/app-under-test.ts';
import type { TestSupporter } from '#testing/makers.ts';

const api = ownApp();
let supporter: TestSupporter;
beforeEach(async () => {
  api.clock.setTo('2026-11-24T22:00:00Z'); // 25 November in Sydney
  supporter = await api.supporter();
  await api.rows`
    update supporters set onboarded_on = null, rounds_from = null where supporter_id = ${supporter.supporterId}`;
  await api.rows`update accounts set round_ups_on = false where supporter_id = ${supporter.supporterId}`;
});

const buys = (overrides: Partial<BankTransaction>) => api.bankLink.addTransaction(supporter.bankCustomerId, overrides);
const estimates = async () => {
  const { supporterId: cdrid, uid } = supporter;
  return (await api.call(retrieveAccountEstimates, { cdrid }, { uid })).body.accountEstimates;
};

test('each account shows the yield of four weeks of its purchases, tracked or not', async () => {
  buys({ day: isoDate('2026-10-27') }); // a day too early
  buys({ day: isoDate('2026-10-28'), amount: cents(4_35) });
  buys({ day: isoDate('2026-11-24'), amount: cents(7_40) });
  buys({ day: isoDate('2026-11-20'), kind: 'transfer' });
  buys({ day: isoDate('2026-11-25') }); // today is not over
  const { supporterId: userId, uid } = supporter;
  const { documents } = (await api.call(accounts, { userId }, { uid })).body.accountsData;
  expect(documents[0]).toMatchObject({ kind: 'transaction' });
  expect(await estimates()).toEqual([{ accountId: documents[0]?._id, purchases: 2, weeklyCents: 30 }]);
});

test('an account without purchases is reported as such', async () => {
  expect(await estimates()).toMatchObject([{ purchases: 0, weeklyCents: 0 }]);
});

test('the answer is the same after onboarding', async () => {
  buys({ day: isoDate('2026-11-24'), amount: cents(4_35) });
  const { supporterId: cdrid, uid } = supporter;
  await api.call(onboardingComplete, { cdrid, syncBeginningOfMonth: false }, { uid });
  expect(await estimates()).toMatchObject([{ purchases: 1, weeklyCents: 20 }]);
});

test('without an answer of the bank there are none', async () => {
  api.bankLink.failNext();
  expect(await estimates()).toBeNull();
});
