import { cents, isoDate } from '@sparechange/domain';
import { beforeEach, expect, test } from 'vitest';
import { requestDonation } from '#features/collections/donations/request-donation.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { aPurchase, aTenant, forgetEverything, someTenants } from '#testing/makers.ts';
import { planDebits } from './plan-debits.ts';
import { findLeftOut } from './release-runs.ts';
import { runDebits } from './run-debits.ts';
import { submitDebits } from './submit-debits.ts';
import { listSuspendedTenants, resumeTenant, suspendTenant } from './suspended-tenants.ts';

const tenants = someTenants(aTenant(), aTenant({ key: 'hounds' }));
const api = ownApp();
beforeEach(() => forgetEverything(api.db));

const deps = () => ({ ...api, tenants, statementName: 'SPARECHANGE' });
const wednesday = isoDate('2026-11-25');
const suspend = () =>
  suspendTenant({ ...api, actor: { kind: 'operating_system', id: 'robin' } }, 'hounds', 'the club asked us to wait');

async function anActiveSupporter(tenantKey: string) {
  const supporter = await api.supporter({ tenantKey });
  await recordRoundUps(api.db.of(supporter.supporterId), api.clock.now(), [aPurchase(supporter)]);
  return supporter;
}

test('nobody of a suspended tenant is planned, everybody else is, and waiting round-ups go once it resumes', async () => {
  await anActiveSupporter('hounds');
  await anActiveSupporter('default');
  await suspend();
  expect(await runDebits(deps())).toMatchObject({ planned: 1, submitted: 1, skipped: { 'tenant suspended': 1 } });
  expect(await findLeftOut(api.db, wednesday)).toEqual({ 'tenant suspended': 1 });
  expect(await resumeTenant(api.db, 'hounds')).toBe(true);
  expect(await runDebits(deps())).toMatchObject({ planned: 1, submitted: 1 });
  expect(await findLeftOut(api.db, wednesday)).toEqual({});
});

test('debits planned before the suspension are not submitted, round-ups and gifts alike', async () => {
  const { supporterId } = await anActiveSupporter('hounds');
  await planDebits(api.db, api.clock, tenants, wednesday);
  await requestDonation(api.db.of(supporterId), api.clock, tenants, supporterId, {
    amount: cents(25_00),
    requestId: 'gift',
  });
  await suspend();
  expect(await submitDebits(deps())).toMatchObject({ submitted: 0 });
  await resumeTenant(api.db, 'hounds');
  expect(await submitDebits(deps())).toMatchObject({ submitted: 2 });
});

test('debits that may be at the provider are looked up, and not repeated while the tenant is suspended', async () => {
  await anActiveSupporter('hounds');
  const before = api.directDebit.taken.length;
  api.directDebit.failNext('time-out before effect');
  expect(await runDebits(deps())).toMatchObject({ unknown: 1 });
  await suspend();
  expect(await submitDebits(deps())).toMatchObject({ submitted: 0, unknown: 0 });
  expect(api.directDebit.taken).toHaveLength(before);
  await resumeTenant(api.db, 'hounds');
  await api.rows`update debits set next_attempt_at = ${api.clock.now()} where state = 'submitting'`;
  expect(await submitDebits(deps())).toMatchObject({ submitted: 1 });
});

test('suspending again keeps every reason, once each; resuming a second time is reported', async () => {
  const suspendFor = (because: string) =>
    suspendTenant({ ...api, actor: { kind: 'operating_system', id: 'robin' } }, 'hounds', because);
  expect(await suspend()).toBe('suspended');
  const since = api.clock.now();
  const further = await Promise.all(['their bank is down', 'their bank is down', 'a complaint'].map(suspendFor));
  expect(further.toSorted()).toEqual(['already suspended', 'suspended for this, too', 'suspended for this, too']);
  expect(await suspend()).toBe('already suspended');
  const [standing, ...others] = await listSuspendedTenants(api.db);
  expect(others).toEqual([]);
  expect(standing).toMatchObject({ tenant: 'hounds', since });
  expect(standing?.because.split('; also: ').toSorted()).toEqual([
    'a complaint',
    'the club asked us to wait',
    'their bank is down',
  ]);
  expect(await resumeTenant(api.db, 'hounds')).toBe(true);
  expect(await resumeTenant(api.db, 'hounds')).toBe(false);
});
