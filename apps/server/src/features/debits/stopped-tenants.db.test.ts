import { cents, isoDate } from '@sparechange/domain';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { requestDonation } from '#features/donations/request-donation.ts';
import { recordRoundUps } from '#features/round-ups/record-round-ups.ts';
import { type AppUnderTest, anApp } from '#testing/app-under-test.ts';
import { aPurchase, aTenant, forgetEverything, someTenants } from '#testing/makers.ts';
import { planDebits } from './plan-debits.ts';
import { runDebits } from './run-debits.ts';
import { listStoppedTenants, resumeTenant, stopTenant } from './stopped-tenants.ts';
import { submitDebits } from './submit-debits.ts';

const tenants = someTenants(aTenant(), aTenant({ key: 'hounds' }));
let api: AppUnderTest;
beforeAll(async () => {
  api = await anApp();
});
afterAll(() => api.close());
beforeEach(() => forgetEverything(api.db));

const deps = () => ({ ...api, tenants, statementName: 'SPARECHANGE' });
const stop = () => stopTenant(api.db, api.clock, 'hounds', 'the club asked us to wait');

async function aGiver(tenantKey: string) {
  const supporter = await api.supporter({ tenantKey });
  await recordRoundUps(api.db, api.clock.now(), [aPurchase(supporter)]);
  return supporter;
}

test('nobody of a stopped tenant is planned, everybody else is, and what waited goes once it goes on', async () => {
  await aGiver('hounds');
  await aGiver('default');
  await stop();
  expect(await runDebits(deps())).toMatchObject({ planned: 1, submitted: 1, skipped: { 'tenant stopped': 1 } });
  expect(await resumeTenant(api.db, 'hounds')).toBe(true);
  expect(await runDebits(deps())).toMatchObject({ planned: 1, submitted: 1 });
});

test('what was planned before the stop is not submitted, round-ups and gifts alike', async () => {
  const { supporterId } = await aGiver('hounds');
  await planDebits(api.db, api.clock, tenants, isoDate('2026-11-25'));
  await requestDonation(api.db, api.clock, tenants, supporterId, { amount: cents(25_00), requestId: 'gift' });
  await stop();
  expect(await submitDebits(deps())).toMatchObject({ submitted: 0 });
  await resumeTenant(api.db, 'hounds');
  expect(await submitDebits(deps())).toMatchObject({ submitted: 2 });
});

test('what may be at the provider is asked for, and not repeated while the tenant is stopped', async () => {
  await aGiver('hounds');
  const before = api.directDebit.taken.length;
  api.directDebit.failNext('time-out before effect');
  expect(await runDebits(deps())).toMatchObject({ unknown: 1 });
  await stop();
  expect(await submitDebits(deps())).toMatchObject({ submitted: 0, unknown: 0 });
  expect(api.directDebit.taken).toHaveLength(before);
  await resumeTenant(api.db, 'hounds');
  await api.db`update debits set next_attempt_at = ${api.clock.now()} where state = 'submitting'`;
  expect(await submitDebits(deps())).toMatchObject({ submitted: 1 });
});

test('stopping twice keeps the first reason, going twice says so', async () => {
  await stop();
  await stopTenant(api.db, api.clock, 'hounds', 'another reason');
  expect(await listStoppedTenants(api.db)).toEqual([
    { tenant: 'hounds', since: api.clock.now(), because: 'the club asked us to wait' },
  ]);
  expect(await resumeTenant(api.db, 'hounds')).toBe(true);
  expect(await resumeTenant(api.db, 'hounds')).toBe(false);
});
