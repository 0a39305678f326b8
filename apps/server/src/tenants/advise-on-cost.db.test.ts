import { cents, isoDate, noCents } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { emptiedDatabase } from '#testing/database.ts';
import { aSupporter } from '#testing/makers.ts';
import { aPastDebit } from '#testing/past-debit.ts';
import { adviseOnCost } from './advise-on-cost.ts';

const database = emptiedDatabase();
const today = isoDate('2026-11-25');

async function someDebits(tenantKey: string, amounts: number[], day = '2026-11-20') {
  const supporter = await aSupporter(database.pool, { tenantKey });
  for (const amount of amounts) await aPastDebit(database.pool, supporter, { day, amount });
  return supporter;
}
const advise = (minimum: number, cost: number, key = 'hounds') =>
  adviseOnCost(database.pool, { key, minimumDebitCents: cents(minimum) }, cents(cost), today);

test('what debits of a brand cost and brought is said, with a minimum where some cost more than they brought', async () => {
  await someDebits('hounds', [9, 16, 342]);
  await someDebits('hounds', [700], '2026-10-01');
  await aPastDebit(database.pool, await someDebits('hounds', []), {
    day: '2026-11-20',
    amount: 2_000,
    kind: 'donation',
  });
  await someDebits('surf', [5]);
  const figures = 'hounds: 3 debits of the last 28 days brought $3.67 and cost $0.60';
  expect(await advise(0, 20)).toEqual([
    `${figures}; 2 of them cost more than they brought: a smallest debit (minimumDebitCents) of 100 is advised`,
  ]);
  expect(await advise(200, 20)).toEqual([figures]);
});

test('nothing is said where the cost is not known, or nothing was debited', async () => {
  await someDebits('hounds', [9]);
  expect(await advise(0, noCents)).toEqual([]);
  expect(await advise(0, 20, 'surf')).toEqual([]);
});
