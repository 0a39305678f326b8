import { resubmitDebits, type SubmitDeps } from '#features/debits/submit-debits.ts';
import type { PayoutDeps } from '#features/payouts/payout-kind.ts';
import { resubmitPayouts, submitPayouts } from '#features/payouts/submit-payouts.ts';
import { resubmitRemittances } from '#features/remittances/remit-to-clubs.ts';
import { repaymentKind } from '#features/repayments/repayment-kind.ts';
import { depositKind } from '#features/savings/deposit-kind.ts';

export type ResubmitDeps = SubmitDeps & PayoutDeps;

/** Asks the provider again for every payment that has no conclusive answer and is due, whatever its kind. */
export async function resubmitPayments(deps: ResubmitDeps): Promise<void> {
  await resubmitDebits(deps);
  await resubmitPayouts(deps, depositKind);
  await resubmitRemittances(deps);
  await submitPayouts(deps, repaymentKind); // refunds are sent at once, so what is still planned was left by a crash
}
