import { roundUpSteps, weeklyLimits } from '@sparechange/domain';
import { beforeEach, expect, test } from 'vitest';
import { recordPurchaseRefunds } from '#features/supporters/purchase-refunds/record-purchase-refunds.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { aPurchase, aPurchaseRefund, type SupporterOverrides, type TestSupporter } from '#testing/makers.ts';
import { recordRoundUps } from './record-round-ups.ts';
import { projectWeek } from './weekly-projection.ts';

const api = ownApp();
let supporter: TestSupporter;
beforeEach(async () => {
  await anActiveSupporter();
});

const anActiveSupporter = async (overrides: SupporterOverrides = {}) => {
  supporter = await api.supporter({ roundsFrom: '2026-01-01', ...overrides });
};
const buys = async (day: string, amount: number) => {
  const purchase = aPurchase(supporter, { day, cents: amount });
  await recordRoundUps(api.db.of(purchase.supporterId), api.clock.now(), [purchase]);
  return purchase;
};
const project = () => projectWeek(api.db.of(supporter.supporterId), api.clock, supporter.supporterId);
const weekWith = async (step: number, limit: number) =>
  (await project()).lookingBack?.weeks.find(({ stepCents, limitCents }) => stepCents === step && limitCents === limit)
    ?.cents;

test('this week counts from Monday to Sunday, and starts again on the next Monday', async () => {
  await buys('2026-11-22', 430);
  await buys('2026-11-23', 401);
  await buys('2026-11-25', 110);
  expect(await project()).toMatchObject({ usedCents: 189, startsAgainOn: '2026-11-30' });
});

test('amounts cut by the limit are not used', async () => {
  await anActiveSupporter({ weeklyLimit: 750, step: 500 });
  for (let count = 0; count < 3; count += 1) await buys('2026-11-24', 110);
  expect((await project()).usedCents).toBe(750);
});

test('the whole weeks of the last 90 days are projected for every step and limit', async () => {
  await buys('2026-08-30', 1);
  await buys('2026-08-31', 410);
  await buys('2026-11-22', 4_50);
  await buys('2026-11-23', 1);
  const { lookingBack } = await project();
  expect(lookingBack).toMatchObject({ days: 84, wholeWeeks: 12 });
  expect(lookingBack?.weeks.map(({ stepCents, limitCents }) => [stepCents, limitCents])).toEqual(
    roundUpSteps.flatMap((step) => weeklyLimits.map((limit) => [step, limit])),
  );
  expect(await weekWith(100, 0)).toBe(10); // 90 + 50 cents in 12 weeks are 11.7 cents a week
});

test('a limit chosen on the first day, backdated to the month, bounds every outlook', async () => {
  await anActiveSupporter({ roundsFrom: '2026-11-01', weeklyLimit: 1000, step: 500 });
  for (let day = 1; day <= 24; day += 1)
    for (let count = 0; count < 3; count += 1) await buys(`2026-11-${String(day).padStart(2, '0')}`, 1_010);
  const { lookingBack } = await project();
  for (const { limitCents, cents } of lookingBack?.weeks ?? [])
    if (limitCents > 0) expect(cents).toBeLessThanOrEqual(limitCents);
  expect(await weekWith(500, 1000)).toBe(1000);
  expect(await weekWith(500, 0)).toBe(10_290);
});

test('without purchases there is no projection', async () => {
  await buys('2026-11-25', 410);
  expect((await project()).lookingBack).toBeNull();
});

test('other limits and steps are projected from the same purchases', async () => {
  await anActiveSupporter({ roundsFrom: '2026-11-09', weeklyLimit: 750 });
  for (let count = 0; count < 4; count += 1) await buys('2026-11-12', 1_010);
  expect(await weekWith(500, 0)).toBe(980);
  expect(await weekWith(500, 1250)).toBe(630);
  expect(await weekWith(100, 0)).toBe(180);
});

test('refunded purchases are left out', async () => {
  await anActiveSupporter({ roundsFrom: '2026-11-09' });
  const coffee = await buys('2026-11-12', 410);
  await buys('2026-11-12', 450);
  expect(await weekWith(100, 0)).toBe(70);
  await recordPurchaseRefunds(api.db.of(supporter.supporterId), api.clock.now(), supporter.supporterId, [
    aPurchaseRefund(coffee),
  ]);
  expect(await weekWith(100, 0)).toBe(30);
});

test('in the first week, and before onboarding has ended, there is no history to project', async () => {
  await anActiveSupporter({ roundsFrom: '2026-11-19' });
  expect((await project()).lookingBack).toBeNull();
  await anActiveSupporter({ roundsFrom: null });
  expect(await project()).toMatchObject({ usedCents: 0, lookingBack: null });
});
