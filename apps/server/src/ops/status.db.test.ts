import { beforeAll, expect, test, vi } from 'vitest';
import { planRepayment } from '#features/disbursements/repayments/plan-repayment.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { inBucketOf } from '#testing/database.ts';
import { testKey } from '#testing/makers.ts';
import { aClearedDebit } from '#testing/money-day.ts';
import { opsOn } from './testing/run-ops.ts';

const api = ownApp();
const ops = opsOn(() => api.database);
beforeAll(() => vi.stubEnv('DATA_KEY', testKey.toString('hex')));

test('a refund on its way is an open payout: providers are not changed before it has ended', async () => {
  const supporter = await api.supporter();
  const { supporterId } = supporter;
  await aClearedDebit(api, supporter, 90);
  const open = async () => JSON.parse((await ops('status', '--json')).said).openPayouts;
  expect(await open()).toBe(0);
  const [debit] = await api.rows<{ id: string }[]>`select id from debits where supporter_id = ${supporterId}`;
  await planRepayment(inBucketOf(api, supporterId), { supporterId, debitId: debit?.id ?? '', reason: 'a test' });
  expect(await open()).toBe(1);
});
