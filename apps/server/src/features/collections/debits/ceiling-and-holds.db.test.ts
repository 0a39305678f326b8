import { cents, type IsoDate, isoDate } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { applyOutcome } from '#features/collections/outcomes/apply-outcome.ts';
import { auditBooks } from '#features/core/ledger/audit-books.ts';
import { userRecord } from '#features/supporters/profiles/user-record.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { aPurchase, aSupporter, aTenant, returned, someTenants, type TestSupporter } from '#testing/makers.ts';
import { ownPayments } from '#testing/payment-deps.ts';
import { findHold, holdSupporter, listHolds, releaseSupporter } from './hold-supporter.ts';
import { planDebits } from './plan-debits.ts';
import { runDebits } from './run-debits.ts';
import { submitDebits } from './submit-debits.ts';

const payments = ownPayments();
const { database, clock, directDebit } = payments;
const tenants = someTenants(aTenant());
const [wednesday, friday, monday] = [isoDate('2026-11-25'), isoDate('2026-11-27'), isoDate('2026-11-30')];
const deps = () => ({ ...payments.deps(), tenants });
const run = (day: IsoDate) => runDebits(deps(), day, { confirmed: cents(1_000_000_00), force: true });

/** Round-ups of these numbers of cents. */
async function spends(supporter: TestSupporter, ...counted: number[]): Promise<void> {
  for (const each of counted)
    await recordRoundUps(database.pool.of(supporter.supporterId), clock.now(), [
      aPurchase(supporter, { cents: 1000 - each }),
    ]);
}
const isAudited = async () => expect((await auditBooks(database.pool)).violations).toEqual([]);
const announced = async ({ supporterId }: TestSupporter) =>
  (await userRecord({ db: database.pool.of(supporterId), clock, tenants }, supporterId)).nextDebit?.amountCents;

test('an amount above the ceiling waits for the next run, and the rest is debited', async () => {
  const supporter = await aSupporter(database.pool, { directDebit, step: 500, ceilingCents: 1000 });
  await spends(supporter, 400, 300, 450, 200, 100);
  expect(await announced(supporter)).toBe(700);
  expect(await run(wednesday)).toMatchObject({ planned: 1, totalCents: 700, skipped: {}, refused: {} });
  await isAudited();
  expect(await announced(supporter)).toBe(750);
  expect(await run(friday)).toMatchObject({ planned: 1, totalCents: 750 });
  expect(await run(monday)).toMatchObject({ planned: 0 });
});

test('of failed debits together above the ceiling the oldest goes first', async () => {
  const supporter = await aSupporter(database.pool, { directDebit, step: 500, ceilingCents: 1000 });
  await spends(supporter, 400, 300);
  await run(wednesday);
  await spends(supporter, 400, 200);
  await run(friday);
  for (const { providerRef } of directDebit.taken) await applyOutcome(deps(), returned(providerRef, 6));
  await spends(supporter, 150);
  expect(await announced(supporter)).toBe(700);
  expect(await run(monday)).toMatchObject({ planned: 1, totalCents: 700 });
  await isAudited();
  expect(await run(isoDate('2026-12-02'))).toMatchObject({ planned: 1, totalCents: 750 });
});

test('a first part above the ceiling is not debited at all', async () => {
  const supporter = await aSupporter(database.pool, { directDebit, step: 500, ceilingCents: 100 });
  await spends(supporter, 400);
  expect(await run(wednesday)).toMatchObject({ planned: 0, skipped: { 'over ceiling': 1 } });
});

test('a held supporter is not debited, loses nothing, and is debited again once released', async () => {
  const supporter = await aSupporter(database.pool, { directDebit });
  const { supporterId, email } = supporter;
  await spends(supporter, 45);
  await planDebits(database.pool, clock, tenants, wednesday);
  const hold = () => holdSupporter(database.pool.of(supporterId), clock, supporterId, 'a dispute');
  expect([await hold(), await hold()]).toEqual([true, false]);
  expect(await submitDebits(deps())).toMatchObject({ submitted: 0 });
  await spends(supporter, 20);
  expect(await run(friday)).toMatchObject({ planned: 0, submitted: 0, skipped: { 'on hold': 1 } });
  expect(await listHolds(database.pool)).toMatchObject([{ email, because: 'a dispute' }]);
  const record = await userRecord({ db: database.pool.of(supporterId), clock, tenants }, supporterId);
  expect(record).toMatchObject({ nextDebit: null, isOnHold: true });
  const release = () => releaseSupporter(database.pool.of(supporterId), clock, supporterId, 'settled');
  expect([await release(), await release()]).toEqual([true, false]);
  expect(await findHold(database.pool.of(supporterId), supporterId)).toBeUndefined();
  expect(await run(monday)).toMatchObject({ planned: 1, submitted: 2, totalCents: 65 });
  const noted = await database.rows`select action from audit_log where actor = 'operator' order by at`;
  expect(noted.map(({ action }) => action)).toEqual(['held debits', 'released debits']);
});

test('an unanswered debit of a held supporter is looked up, and sent again only after their release', async () => {
  const supporter = await aSupporter(database.pool, { directDebit });
  await spends(supporter, 45);
  directDebit.failNext('time-out before effect');
  expect(await run(wednesday)).toMatchObject({ unknown: 1 });
  await holdSupporter(database.pool.of(supporter.supporterId), clock, supporter.supporterId, 'a dispute');
  expect(await submitDebits(deps())).toMatchObject({ submitted: 0, unknown: 0 });
  expect(directDebit.taken).toHaveLength(0);
  await releaseSupporter(database.pool.of(supporter.supporterId), clock, supporter.supporterId, 'settled');
  await database.rows`update debits set next_attempt_at = ${clock.now()} where state = 'submitting'`;
  expect(await submitDebits(deps())).toMatchObject({ submitted: 1 });
});
