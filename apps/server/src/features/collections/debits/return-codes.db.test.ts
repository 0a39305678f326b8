import { type IsoDate, isoDate, type ReturnCode } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { applyOutcome } from '#features/collections/outcomes/apply-outcome.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import {
  aMandate,
  anAccount,
  aPurchase,
  aSupporter,
  aTenant,
  returned,
  someTenants,
  type TestSupporter,
} from '#testing/makers.ts';
import { ownPayments } from '#testing/payment-deps.ts';
import { planDebits } from './plan-debits.ts';
import { submitDebits } from './submit-debits.ts';

const { database, clock, directDebit, deps } = ownPayments({ isAudited: false });

const [monday, wednesday, friday] = [isoDate('2026-11-23'), isoDate('2026-11-25'), isoDate('2026-11-27')];
const plan = (date: IsoDate) => planDebits(database.pool, clock, someTenants(aTenant()), date);

/** Makes a purchase and a returned debit on that day. */
async function comesBack(supporter: TestSupporter, date: IsoDate, code: ReturnCode): Promise<void> {
  await recordRoundUps(database.pool.of(supporter.supporterId), clock.now(), [aPurchase(supporter)]);
  await plan(date);
  await submitDebits(deps());
  const ref = directDebit.taken.at(-1)?.providerRef ?? '';
  expect(await applyOutcome(deps(), returned(ref, code))).toBe('returned');
}

const openPauses = async ({ supporterId }: TestSupporter) => {
  const rows =
    await database.rows`select reason from pauses where supporter_id = ${supporterId} and resumed_on is null`;
  return rows.map((row) => row.reason);
};
const unusable = async ({ account }: TestSupporter) => {
  const [row] = await database.rows`select unusable_since, unusable_code from accounts where id = ${account.id}`;
  return row;
};

test('the first return with code 6 neither pauses nor makes the account unusable', async () => {
  const supporter = await aSupporter(database.pool, { directDebit });
  await comesBack(supporter, monday, 6);
  expect(await openPauses(supporter)).toEqual([]);
  expect(await unusable(supporter)).toEqual({ unusable_since: null, unusable_code: null });
  expect(await plan(wednesday)).toMatchObject({ planned: 1, totalCents: 70 });
});

test('code 6 a second time in a row pauses the supporter, who is not debited again', async () => {
  const supporter = await aSupporter(database.pool, { directDebit });
  await comesBack(supporter, monday, 6);
  await comesBack(supporter, wednesday, 6);
  expect(await openPauses(supporter)).toEqual(['two returns']);
  expect(await plan(friday)).toMatchObject({ planned: 0, skipped: { paused: 1 } });
});

test('code 6 a second time removes the end of a pause that the supporter had chosen', async () => {
  const supporter = await aSupporter(database.pool, { directDebit });
  await comesBack(supporter, monday, 6);
  await plan(wednesday);
  await submitDebits(deps());
  await database.rows`
    insert into pauses (supporter_id, paused_at, paused_on, reason, until)
    values (${supporter.supporterId}, ${clock.now()}, ${wednesday}, 'supporter', ${friday})`;
  const [debit] = await database.rows<{ ref: string }[]>`
    select provider_ref as ref from debits where run_date = ${wednesday} and state = 'submitted'`;
  await applyOutcome(deps(), returned(debit?.ref ?? '', 6));
  expect([...(await database.rows`select reason, until from pauses`)]).toEqual([
    { reason: 'two returns', until: null },
  ]);
});

test('after resuming, a twice-returned amount is collected', async () => {
  const supporter = await aSupporter(database.pool, { directDebit });
  await comesBack(supporter, monday, 6);
  await comesBack(supporter, wednesday, 6);
  await database.rows`update pauses set resumed_on = ${friday}`;
  expect(await plan(friday)).toMatchObject({ planned: 1, totalCents: 140 });
});

test('code 6 after a debit that the provider had refused is the first return, not the second', async () => {
  const supporter = await aSupporter(database.pool, { directDebit });
  await recordRoundUps(database.pool.of(supporter.supporterId), clock.now(), [aPurchase(supporter)]);
  await plan(monday);
  directDebit.failNext('refused');
  await submitDebits(deps());
  await comesBack(supporter, wednesday, 6);
  expect(await openPauses(supporter)).toEqual([]);
});

test('code 6 on a new account, after the old one was closed, is the first return', async () => {
  const supporter = await aSupporter(database.pool, { directDebit });
  await comesBack(supporter, monday, 3);
  await database.rows`update accounts set is_funding = false`;
  const account = await anAccount(database.pool, supporter, { isFunding: true });
  await aMandate(database.pool, supporter, account, { directDebit });
  await comesBack(supporter, wednesday, 6);
  expect(await openPauses(supporter)).toEqual([]);
});

test.each([1, 2, 3, 4, 5, 7, 9] as const)(
  'code %s makes the funding account unusable until it is changed',
  async (code) => {
    const supporter = await aSupporter(database.pool, { directDebit });
    await comesBack(supporter, monday, code);
    expect(await unusable(supporter)).toEqual({ unusable_since: '2026-11-25', unusable_code: code });
    expect(await openPauses(supporter)).toEqual([]);
    expect(await plan(wednesday)).toMatchObject({ planned: 0, skipped: { 'no funding account': 1 } });
  },
);

test('an account changed before the return came is not made unusable', async () => {
  const supporter = await aSupporter(database.pool, { directDebit });
  const other = await anAccount(database.pool, supporter);
  await recordRoundUps(database.pool.of(supporter.supporterId), clock.now(), [aPurchase(supporter)]);
  await plan(monday);
  await submitDebits(deps());
  await database.rows`update accounts set is_funding = false where is_funding`;
  await database.rows`update accounts set is_funding = true where id = ${other.id}`;
  await applyOutcome(deps(), returned(directDebit.taken[0]?.providerRef ?? '', 3));
  const rows = await database.rows`select 1 from accounts where unusable_since is not null`;
  expect(rows).toHaveLength(0);
});

test('code 8 suspends this run and every later one until an operator has looked', async () => {
  const supporter = await aSupporter(database.pool, { directDebit });
  await comesBack(supporter, monday, 8);
  expect(await unusable(supporter)).toMatchObject({ unusable_since: null });
  await expect(plan(monday)).rejects.toThrow('suspended');
  await expect(plan(wednesday)).rejects.toThrow(`Debiting is suspended since the run of ${monday}`);
  await database.rows`update debit_runs set suspended_at = null`;
  expect(await plan(wednesday)).toMatchObject({ planned: 1 });
});

test('while debiting is suspended nothing is submitted either', async () => {
  const [supporter, other] = [
    await aSupporter(database.pool, { directDebit }),
    await aSupporter(database.pool, { directDebit }),
  ];
  await comesBack(supporter, monday, 6);
  await recordRoundUps(database.pool.of(other.supporterId), clock.now(), [aPurchase(other)]);
  await plan(wednesday);
  await database.rows`update debits set kind = 'donation', run_date = '2026-11-24' where run_date = ${monday}`;
  await database.rows`update debits set state = 'submitted' where run_date = '2026-11-24'`;
  await applyOutcome(deps(), returned(directDebit.taken[0]?.providerRef ?? '', 8));
  await expect(submitDebits(deps())).rejects.toThrow('suspended');
  expect(directDebit.taken).toHaveLength(1);
});

test('a return is noted in the audit log', async () => {
  const supporter = await aSupporter(database.pool, { directDebit });
  await comesBack(supporter, monday, 6);
  const rows =
    await database.rows`select actor, action, details from audit_log where supporter_id = ${supporter.supporterId}`;
  expect(rows).toMatchObject([{ actor: 'direct debit', action: 'debit returned', details: { code: 6 } }]);
});

test('a claim after clearing that says the account is closed stops further debits from it', async () => {
  const supporter = await aSupporter(database.pool, { directDebit });
  await recordRoundUps(database.pool.of(supporter.supporterId), clock.now(), [aPurchase(supporter)]);
  await plan(monday);
  await submitDebits(deps());
  const ref = directDebit.taken.at(-1)?.providerRef ?? '';
  expect(await applyOutcome(deps(), { providerRef: ref, state: 'cleared', at: clock.now() })).toBe('cleared');
  expect(await applyOutcome(deps(), returned(ref, 3))).toBe('reversed');
  expect(await unusable(supporter)).toMatchObject({ unusable_code: 3 });
});

test('a claim after clearing for want of money leaves the account usable', async () => {
  const supporter = await aSupporter(database.pool, { directDebit });
  await recordRoundUps(database.pool.of(supporter.supporterId), clock.now(), [aPurchase(supporter)]);
  await plan(monday);
  await submitDebits(deps());
  const ref = directDebit.taken.at(-1)?.providerRef ?? '';
  await applyOutcome(deps(), { providerRef: ref, state: 'cleared', at: clock.now() });
  expect(await applyOutcome(deps(), returned(ref, 6))).toBe('reversed');
  expect(await unusable(supporter)).toMatchObject({ unusable_code: null });
});
