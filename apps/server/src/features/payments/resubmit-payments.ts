import { resubmitDebits, type SubmitDeps } from '#features/debits/submit-debits.ts';
import { type RemitDeps, resubmitRemittances } from '#features/remittances/remit-to-clubs.ts';
import { submitRepayments } from '#features/repayments/submit-repayments.ts';
import { resubmitDeposits, type SavingsDeps } from '#features/savings/deposit-savings.ts';

export type ResubmitDeps = SubmitDeps & RemitDeps & SavingsDeps;

/** Asks the provider again for every payment that has no conclusive answer and is due, whatever its kind. */
export async function resubmitPayments(deps: ResubmitDeps): Promise<void> {
  await resubmitDebits(deps);
  await resubmitDeposits(deps);
  await resubmitRemittances(deps);
  await submitRepayments(deps); // refunds are sent at once, so what is still planned was left by a crash
}
