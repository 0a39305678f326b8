import { cents, isoDate, type SkipReason } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { emptiedDatabase } from '#testing/database.ts';
import {
  aClock,
  aClub,
  aMandate,
  anAccount,
  aPurchase,
  aSupporter,
  aTenant,
  type SupporterOverrides,
  someSavings,
  someTenants,
  type TestSupporter,
} from '#testing/makers.ts';
import { planDebits } from './plan-debits.ts';

const database = emptiedDatabase();

const clock = aClock();
const wednesday = isoDate('2026-11-25');
const [endedClub, endingClub] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];
const tenants = someTenants(
  aTenant(),
  aTenant({ key: 'ended', endsOn: '2026-11-25', clubID: endedClub }),
  aTenant({ key: 'ending', endsOn: '2026-11-26', clubID: endingClub }),
  aTenant({ key: 'thrifty', minimumDebitCents: cents(145) }),
);
const plan = () => planDebits(database.pool, clock, tenants, wednesday);

/** A supporter with round-ups of that many cents waiting. */
async function waiting(amount: number, overrides: SupporterOverrides = {}): Promise<TestSupporter> {
  const supporter = await aSupporter(database.pool, { ...overrides, step: 500 });
  await recordRoundUps(database.pool.of(supporter.supporterId), clock.now(), [
    aPurchase(supporter, { cents: 1000 - amount }),
  ]);
  return supporter;
}
const change = {
  'ends the consent': () => database.rows`update supporters set consent_active = false`,
  pauses: () => database.rows`
    insert into pauses (supporter_id, paused_at, paused_on, reason)
    select supporter_id, ${clock.now()}, ${wednesday}, 'supporter' from supporters`,
  'has an unusable account': () => database.rows`update accounts set unusable_since = ${wednesday}, unusable_code = 3`,
  'has an account the bank no longer shows': () => database.rows`update accounts set is_listed = false`,
  'has no funding account': () => database.rows`update accounts set is_funding = false`,
  'has a mandate the provider does not know yet': () => database.rows`update mandates set mandate_ref = null`,
  'cancelled the mandate': () => database.rows`update mandates set cancelled_at = ${clock.now()}`,
};

test.each<[keyof typeof change, SkipReason]>([
  ['ends the consent', 'no consent'],
  ['pauses', 'paused'],
  ['has an unusable account', 'no funding account'],
  ['has an account the bank no longer shows', 'no funding account'],
  ['has no funding account', 'no funding account'],
  ['has a mandate the provider does not know yet', 'no funding account'],
  ['cancelled the mandate', 'no funding account'],
])('a supporter who %s is skipped: %s', async (what, reason) => {
  await waiting(145);
  await change[what]();
  expect(await plan()).toEqual({ date: wednesday, planned: 0, totalCents: 0, skipped: { [reason]: 1 } });
  expect(await database.rows`select 1 from debits`).toHaveLength(0);
});

test('from the day a campaign has ended nobody of it is debited', async () => {
  await waiting(145, { tenantKey: 'ended' });
  await waiting(145, { tenantKey: 'ending' });
  expect(await plan()).toMatchObject({ planned: 1, skipped: { 'campaign ended': 1 } });
});

test("from the day a club's campaign has ended nobody of any tenant is debited for it", async () => {
  const clubId = await aClub(database.pool, { id: endedClub });
  await waiting(145, { clubId });
  await waiting(145);
  expect(await plan()).toMatchObject({ planned: 1, skipped: { 'campaign ended': 1 } });
});

test("debits planned before a club's campaign ended are refused after it", async () => {
  const clubId = await aClub(database.pool, { id: endingClub });
  await waiting(145, { clubId });
  expect(await plan()).toMatchObject({ planned: 1 });
  expect(await planDebits(database.pool, clock, tenants, isoDate('2026-11-27'))).toMatchObject({ planned: 0 });
  expect([...(await database.rows`select state from debits`)]).toEqual([{ state: 'refused' }]);
});

test('debits planned and not submitted before a campaign ended are not submitted after it', async () => {
  await waiting(145, { tenantKey: 'ending' });
  expect(await plan()).toMatchObject({ planned: 1 });
  expect(await planDebits(database.pool, clock, tenants, isoDate('2026-11-27'))).toMatchObject({ planned: 0 });
  expect([...(await database.rows`select state, refusal from debits`)]).toEqual([
    { state: 'refused', refusal: 'the campaign has ended' },
  ]);
});

test('nobody of a deleted tenant is debited', async () => {
  await waiting(145, { tenantKey: 'gone' });
  expect(await plan()).toMatchObject({ planned: 0, skipped: { 'campaign ended': 1 } });
});

test("an amount below the tenant's minimum waits until it is reached", async () => {
  const supporter = await waiting(144, { tenantKey: 'thrifty' });
  await waiting(145, { tenantKey: 'thrifty' });
  expect(await plan()).toEqual({ date: wednesday, planned: 1, totalCents: 145, skipped: { 'below minimum': 1 } });
  await recordRoundUps(database.pool.of(supporter.supporterId), clock.now(), [aPurchase(supporter, { cents: 499 })]);
  const friday = await planDebits(database.pool, clock, tenants, isoDate('2026-11-27'));
  expect(friday).toMatchObject({ planned: 1, totalCents: 145 });
});

test('nobody is debited more than they agreed to', async () => {
  await waiting(145, { ceilingCents: 144 });
  await waiting(145, { ceilingCents: 145 });
  expect(await plan()).toMatchObject({ planned: 1, totalCents: 145, skipped: { 'over ceiling': 1 } });
});

test('the mandate is the newest one for the funding account', async () => {
  const supporter = await waiting(145, { ceilingCents: 100 });
  const other = await anAccount(database.pool, supporter);
  await aMandate(database.pool, supporter, other);
  const newest = await aMandate(database.pool, supporter, supporter.account);
  await database.rows`update mandates set agreed_at = '2026-02-01T00:00:00Z' where id = ${newest}`;
  expect(await plan()).toMatchObject({ planned: 1 });
  const [debit] = await database.rows`select mandate_id, club_id from debits`;
  expect(debit).toEqual({ mandate_id: newest, club_id: supporter.clubId });
});

test('with savings on and an account linked half is for savings, and the odd cent for the club', async () => {
  await waiting(145, { savings: true });
  await plan();
  expect([...(await database.rows`select amount_cents, savings_cents from debits`)]).toEqual([
    { amount_cents: 145, savings_cents: 72 },
  ]);
});

test.each(['switched off', 'not linked'])('with savings %s the whole amount is for the club', async (lacking) => {
  const supporter = await waiting(145);
  if (lacking === 'not linked') await database.rows`update supporters set savings_enabled = true`;
  else await someSavings(database.pool, supporter.supporterId);
  await plan();
  expect([...(await database.rows`select savings_cents from debits`)]).toEqual([{ savings_cents: 0 }]);
});

test('a supporter who cannot be debited does not hold up the others', async () => {
  await waiting(45);
  await change.pauses();
  await waiting(145);
  await waiting(245);
  expect(await plan()).toEqual({ date: wednesday, planned: 2, totalCents: 390, skipped: { paused: 1 } });
});

test('planning does not wait for a supporter whose purchases are being recorded', async () => {
  const supporter = await waiting(145);
  const bucket = database.pool.of(supporter.supporterId);
  const isWaiting = async () =>
    (await bucket`select 1 from pg_locks where relation = 'round_ups'::regclass and not granted`).length > 0;
  const recording = await bucket.begin(async (tx) => {
    await tx`lock table round_ups in exclusive mode`;
    const recorded = recordRoundUps(bucket, clock.now(), [aPurchase(supporter)]);
    while (!(await isWaiting())) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await plan()).toMatchObject({ planned: 1, totalCents: 145 });
    return { recorded };
  });
  expect(await recording.recorded).toMatchObject({ roundUps: 1 });
});
