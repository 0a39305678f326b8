import { isoDate } from '@sparechange/domain';
import { beforeEach, expect, test } from 'vitest';
import { planDebits } from '#features/collections/debits/plan-debits.ts';
import { submitDebits } from '#features/collections/debits/submit-debits.ts';
import { pauseRoundUps } from '#features/supporters/round-ups/pause-round-ups.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { aPurchase, aSupporter, aTenant, clockSetter, someTenants, type TestSupporter } from '#testing/makers.ts';
import { balancesOf } from '#testing/money-day.ts';
import { forgetful, ownPayments } from '#testing/payment-deps.ts';
import { findPayment, parkPayment, retryPayment } from './decide-payment.ts';

const { database, clock, directDebit, deps } = ownPayments(forgetful);
const at = clockSetter({ clock });
const tenants = someTenants(aTenant());
let supporter: TestSupporter;
beforeEach(async () => {
  at('2026-11-23', 'debit-run');
  supporter = await aSupporter(database.pool, { directDebit });
  await recordRoundUps(pool(), clock.now(), [aPurchase(supporter, { day: '2026-11-23', cents: 455 })]);
  await planDebits(database.pool, clock, tenants, isoDate('2026-11-23'));
  directDebit.neverAnswer(() => true);
  await submitDebits(deps());
  directDebit.neverAnswer(() => false);
});

const pool = () => database.pool.of(supporter.supporterId);
const debit = async () => {
  const [{ id = '' } = {}] = await database.rows<{ id: string }[]>`select id from debits`;
  return findPayment(database.pool, id);
};
const withdraw = () => database.rows`
  update supporters set consent_active = false, consent_end = 'withdrawn', consent_ended_on = '2026-11-24'`;

test.each([
  ['the consent has ended', withdraw],
  ['round-ups are paused', () => pauseRoundUps(pool(), clock, supporter.supporterId, 'supporter')],
])('a parked debit that is retried days later is given up: %s', async (reason, happens) => {
  await parkPayment(deps(), await debit(), 'an outage');
  await happens();
  at('2026-11-26', '12:00');
  expect(await retryPayment(deps(), await debit())).toBe(true);
  expect(await debit()).toMatchObject({ state: 'refused', failure: reason });
  expect(directDebit.taken).toEqual([]);
  expect(await balancesOf(database.pool, supporter)).toEqual({ pledged: 45, promised: 45 });
  expect(await database.rows`select actor, details from audit_log where action = 'debit refused'`).toEqual([
    { actor: 'timetable', details: { debit: (await debit()).id, cause: 'given_up' } },
  ]);
});

test('a debit whose campaign has ended is given up, and dropped by the next run', async () => {
  at('2026-11-26', '12:00');
  const ended = someTenants(aTenant({ endsOn: '2026-11-25' }));
  await submitDebits({ ...deps(), tenants: ended });
  expect(await debit()).toMatchObject({ state: 'refused', failure: 'the campaign has ended' });
  await planDebits(database.pool, clock, ended, isoDate('2026-11-27'));
  expect(await balancesOf(database.pool, supporter)).toEqual({});
});

test('a debit that the provider has completes', async () => {
  directDebit.failNext('time-out after effect');
  at('2026-11-23', '08:00');
  await submitDebits(deps());
  await withdraw();
  at('2026-11-26', '12:00');
  await submitDebits(deps());
  expect(await debit()).toMatchObject({ state: 'submitted' });
  expect(directDebit.taken).toHaveLength(1);
});

test('a debit unanswered for less than a day is sent again', async () => {
  await withdraw();
  at('2026-11-23', '18:00');
  await submitDebits(deps());
  expect(await debit()).toMatchObject({ state: 'submitted' });
});

test('a debit whose supporter may still be debited is sent again, however late', async () => {
  at('2026-11-26', '12:00');
  await submitDebits(deps());
  expect(await debit()).toMatchObject({ state: 'submitted' });
});
