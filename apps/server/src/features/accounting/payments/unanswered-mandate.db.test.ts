import { cents, isoDate } from '@sparechange/domain';
import { beforeEach, expect, test } from 'vitest';
import { reconcilePayments } from '#features/accounting/reconciliation/reconcile-payments.ts';
import { planDebits } from '#features/collections/debits/plan-debits.ts';
import { submitDebits } from '#features/collections/debits/submit-debits.ts';
import { requestDonation } from '#features/collections/donations/request-donation.ts';
import { auditBooks } from '#features/core/ledger/audit-books.ts';
import { buildTimeline } from '#features/core/timeline/build-timeline.ts';
import { findUserRecordRow } from '#features/supporters/profiles/user-record-repository.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { aPurchase, aSupporter, aTenant, clockSetter, someTenants, type TestSupporter } from '#testing/makers.ts';
import { forgetful, ownPayments } from '#testing/payment-deps.ts';
import { failPayment, findPayment, resubmitPayments, retryPayment } from './decide-payment.ts';
import { listParked } from './parked-payments.ts';

const { database, clock, directDebit, deps } = ownPayments(forgetful);
const tenants = someTenants(aTenant());
let poison: TestSupporter;
let other: TestSupporter;
beforeEach(async () => {
  at('2026-11-23', 'debit-run');
  poison = await aSupporter(database.pool, { directDebit });
  other = await aSupporter(database.pool, { directDebit });
  const mandateRef = directDebit.mandates[0]?.mandateRef;
  directDebit.neverAnswer((order) => 'mandateRef' in order && order.mandateRef === mandateRef);
});

const at = clockSetter({ clock });
const healthy = async () => expect((await auditBooks(database.pool)).violations).toEqual([]);
async function run(day: string) {
  at(day, 'debit-run');
  for (const person of [poison, other])
    await recordRoundUps(database.pool.of(person.supporterId), clock.now(), [aPurchase(person, { day, cents: 455 })]);
  const plan = await planDebits(database.pool, clock, tenants, isoDate(day));
  const { submitted } = await submitDebits(deps());
  return { planned: plan.planned, submitted, skipped: plan.skipped };
}
/** Resubmits every ten minutes until the unanswered debit is parked. */
async function aDayPasses(): Promise<void> {
  for (let minute = 0; minute < 26 * 60; minute += 10) {
    clock.setTo(new Date(clock.now().getTime() + 600_000).toISOString());
    await resubmitPayments(deps());
  }
}
const debits = () => database.rows<{ state: string; cents: number }[]>`
  select state::text, amount_cents as cents from debits where supporter_id = ${poison.supporterId} order by planned_at`;
const parked = async () => findPayment(database.pool, (await listParked(database.pool, 5))[0]?.reference ?? '');

test('an unresponsive mandate has one parked debit, and no other until an operator has decided', async () => {
  expect(await run('2026-11-23')).toMatchObject({ planned: 2, submitted: 1 });
  await aDayPasses();
  for (const day of ['2026-11-25', '2026-11-27', '2026-11-30'])
    expect(await run(day)).toEqual({ planned: 1, submitted: 1, skipped: { 'debit parked': 1 } });
  expect(await debits()).toEqual([{ state: 'submitting', cents: 45 }]);
  const row = await findUserRecordRow(database.pool.of(poison.supporterId), poison.supporterId, isoDate('2026-12-02'));
  expect(row).toMatchObject({ isOnHold: true, waitingCents: 3 * 45 });
  await healthy();
  await failPayment(deps(), await parked(), 'they have no record of it');
  directDebit.neverAnswer(() => false);
  expect(await run('2026-12-02')).toMatchObject({ planned: 2, submitted: 2, skipped: {} });
  expect(await debits()).toEqual([
    { state: 'refused', cents: 45 },
    { state: 'submitted', cents: 5 * 45 },
  ]);
});

test('round-ups and gifts planned since then wait with it, and go once the parked debit was taken', async () => {
  await run('2026-11-23');
  await aDayPasses();
  const gift = { amount: cents(25_00), requestId: 'gift' };
  await requestDonation(database.pool.of(poison.supporterId), clock, tenants, poison.supporterId, gift);
  expect(await submitDebits(deps())).toMatchObject({ submitted: 0, unknown: 0 });
  expect((await debits()).map(({ state }) => state)).toEqual(['submitting', 'planned']);
  directDebit.neverAnswer(() => false);
  expect(await retryPayment(deps(), await parked())).toBe(true);
  await submitDebits(deps());
  expect((await debits()).map(({ state }) => state)).toEqual(['submitted', 'submitted']);
});

test('the timeline says that a debit is parked, and reconciling names it apart', async () => {
  await run('2026-11-23');
  await aDayPasses();
  const { events } = await buildTimeline(database.pool.of(poison.supporterId), poison.supporterId);
  expect(events.map(({ sentence }) => sentence)).toContainEqual(
    expect.stringMatching(/^Debit RU\w+ of \$0\.45 was parked: without an answer/),
  );
  const found = await reconcilePayments(deps());
  expect(found).toMatchObject({ matched: 1, parked: 1, missingHere: 0, missingThere: 0, behind: 0, different: 0 });
  expect(found.differences).toMatchObject([{ match: 'parked', ours: 'parked', theirs: null, cents: 45 }]);
});
