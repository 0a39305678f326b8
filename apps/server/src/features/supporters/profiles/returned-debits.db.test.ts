import { type IsoDate, isoDate, type ReturnCode } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { planDebits } from '#features/collections/debits/plan-debits.ts';
import { submitDebits } from '#features/collections/debits/submit-debits.ts';
import { applyOutcome } from '#features/collections/outcomes/apply-outcome.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { aPurchase, aSupporter, aTenant, cleared, returned, someTenants, type TestSupporter } from '#testing/makers.ts';
import { ownPayments } from '#testing/payment-deps.ts';
import { userRecord } from './user-record.ts';

const { database, clock, directDebit, deps } = ownPayments({ isAudited: false });
const tenants = someTenants(aTenant());
const [monday, wednesday] = [isoDate('2026-11-23'), isoDate('2026-11-25')];
const plan = (date: IsoDate) => planDebits(database.pool, clock, tenants, date);

async function comesBack(
  supporter: TestSupporter,
  date: IsoDate,
  code: ReturnCode,
  { hasCleared = false } = {},
): Promise<void> {
  await recordRoundUps(database.pool.of(supporter.supporterId), clock.now(), [aPurchase(supporter)]);
  await plan(date);
  await submitDebits(deps());
  const ref = directDebit.taken.at(-1)?.providerRef ?? '';
  if (hasCleared) await applyOutcome(deps(), cleared(ref));
  await applyOutcome(deps(), returned(ref, code));
}

const said = async ({ supporterId }: TestSupporter) => {
  const record = await userRecord({ db: database.pool.of(supporterId), clock, tenants }, supporterId);
  const { returnedDebit: debit, returnedDonation: donation, takenBackDebit, takenBackDonation } = record;
  return { debit, donation, takenBackDebit, takenBackDonation };
};

test('a returned debit is shown until it is re-presented, and after the second the pause of round-ups', async () => {
  const supporter = await aSupporter(database.pool, { directDebit });
  expect(await said(supporter)).toEqual({});
  await comesBack(supporter, monday, 6);
  expect((await said(supporter)).debit).toEqual({ date: monday, amountCents: 70, next: 'next_debit' });
  await plan(wednesday);
  expect((await said(supporter)).debit).toBeUndefined();
  await comesBack(supporter, wednesday, 6);
  expect((await said(supporter)).debit).toMatchObject({ date: wednesday, next: 'two_returns' });
  await database.rows`update pauses set resumed_on = ${wednesday}`;
  expect((await said(supporter)).debit).toMatchObject({ date: wednesday, next: 'next_debit' });
});

test("the next step shown is the supporter's", async () => {
  const supporter = await aSupporter(database.pool, { directDebit });
  await comesBack(supporter, monday, 3);
  const next = async () => (await said(supporter)).debit?.next;
  expect(await next()).toBe('choose_account');
  await database.rows`
    insert into pauses (supporter_id, paused_at, paused_on, reason)
    values (${supporter.supporterId}, ${clock.now()}, ${monday}, 'supporter')`;
  expect(await next()).toBe('resume');
  await database.rows`update supporters set consent_active = false`;
  expect(await next()).toBe('renew');
});

test('a fault of ours is not shown', async () => {
  const supporter = await aSupporter(database.pool, { directDebit });
  await comesBack(supporter, monday, 8);
  expect(await said(supporter)).toEqual({});
});

test('a returned donation is shown for a week', async () => {
  const supporter = await aSupporter(database.pool, { directDebit });
  await comesBack(supporter, monday, 6);
  await database.rows`
    update debits set kind = 'donation', request_id = 'gift', first_seq = null, last_seq = null
    where supporter_id = ${supporter.supporterId}`;
  const gift = { donation: { date: monday, amountCents: 70 } };
  expect(await said(supporter)).toEqual(gift);
  clock.setTo('2026-12-01T12:00:00Z');
  expect(await said(supporter)).toEqual(gift);
  clock.setTo('2026-12-02T12:00:00Z');
  expect(await said(supporter)).toEqual({});
});

test.each([3, 6] as const)('a debit reversed with code %s after clearing is shown for a week', async (code) => {
  const supporter = await aSupporter(database.pool, { directDebit });
  await comesBack(supporter, monday, code, { hasCleared: true });
  const debit = { takenBackDebit: { date: monday, amountCents: 70 } };
  expect(await said(supporter)).toEqual(debit);
  clock.setTo('2026-12-01T12:00:00Z');
  expect(await said(supporter)).toEqual(debit);
  clock.setTo('2026-12-02T12:00:00Z');
  expect(await said(supporter)).toEqual({});
});

test('a donation reversed after clearing is shown as one, and a fault of ours is not shown', async () => {
  const [supporter, other] = [
    await aSupporter(database.pool, { directDebit }),
    await aSupporter(database.pool, { directDebit }),
  ];
  await comesBack(supporter, monday, 6, { hasCleared: true });
  await database.rows`
    update debits set kind = 'donation', request_id = 'gift', first_seq = null, last_seq = null
    where supporter_id = ${supporter.supporterId}`;
  await comesBack(other, monday, 8, { hasCleared: true });
  expect(await said(supporter)).toEqual({ takenBackDonation: { date: monday, amountCents: 70 } });
  expect(await said(other)).toEqual({});
});
