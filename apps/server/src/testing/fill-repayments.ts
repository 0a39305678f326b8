import { cents } from '@sparechange/domain';
import { applyOutcome } from '#features/collections/outcomes/apply-outcome.ts';
import { submitPayouts } from '#features/core/payouts/submit-payouts.ts';
import { planRepayment } from '#features/disbursements/repayments/plan-repayment.ts';
import { repaymentKind } from '#features/disbursements/repayments/repayment-kind.ts';
import type { Clock } from '#ports/clock.ts';
import type { OwnDatabase } from './database.ts';
import { inBucketOf } from './database.ts';
import type { FakeDirectDebit } from './fake-direct-debit.ts';
import { aSupporter, cleared, returned } from './makers.ts';
import { aClearedDebit } from './money-day.ts';
import { paymentDeps } from './payment-deps.ts';

/** Refunds of every state: one that arrived, one of a part, and those that failed before and after a claim. */
export async function fillRepayments(
  { pool: db, rows }: OwnDatabase,
  clock: Clock,
  directDebit: FakeDirectDebit,
): Promise<void> {
  const deps = paymentDeps(db, clock, directDebit);
  directDebit.forgetFaults();
  const repaid = async (amount?: number, savings = false, isRefused = false) => {
    const supporter = await aSupporter(db, { directDebit, savings });
    const { supporterId } = supporter;
    await aClearedDebit(deps, supporter, 90);
    const [debit] = await rows<{ id: string; ref: string }[]>`
      select id, provider_ref as ref from debits where supporter_id = ${supporterId}`;
    const debitRef = debit?.ref ?? '';
    await applyOutcome(deps, cleared(debitRef)); // others may have been submitted after it
    const wanted = amount === undefined ? {} : { amount: cents(amount) };
    await planRepayment(inBucketOf(deps, supporterId), {
      supporterId,
      debitId: debit?.id ?? '',
      reason: 'a test',
      ...wanted,
    });
    if (isRefused) directDebit.failNext('refused');
    await submitPayouts(deps, repaymentKind);
    return { debitRef, ref: directDebit.taken.findLast(({ kind }) => kind === 'payout')?.providerRef ?? '' };
  };
  const [whole, part, lost, late, claimed, both] = [
    await repaid(),
    await repaid(30, true),
    await repaid(),
    await repaid(),
    await repaid(40, true),
    await repaid(),
  ];
  for (const { ref } of [whole, part, late, claimed]) await applyOutcome(deps, cleared(ref));
  for (const { ref } of [lost, late]) await applyOutcome(deps, returned(ref, 5));
  for (const { debitRef } of [claimed, both]) await applyOutcome(deps, returned(debitRef, 2));
  await applyOutcome(deps, returned(both.ref, 5));
  await repaid(90, false, true);
}
