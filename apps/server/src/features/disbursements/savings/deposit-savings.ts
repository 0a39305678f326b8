import { type Cents, type Month, monthToDeposit } from '@sparechange/domain';
import { Conflict } from '#errors.ts';
import type { PayoutDeps } from '#features/core/payouts/payout-kind.ts';
import { submitPayouts } from '#features/core/payouts/submit-payouts.ts';
import { throwIfStopped } from '#features/core/submission/submit-payments.ts';
import { today } from '#ports/clock.ts';
import { depositKind } from './deposit-kind.ts';
import { planDeposits } from './plan-deposits.ts';

export interface SavingsRun {
  month: string;
  deposits: number;
  totalCents: Cents;
  /** Refused deposits, which stay set aside, with the reason. */
  refused: { id: string; cents: Cents; reason: string }[];
  /** Without a conclusive answer: retried separately. */
  unknown: number;
}

/**
 * Deposits the set-aside up to the end of a month, last month by default (docs/rules.md#monthly-deposit). Repeating it
 * adds nothing.
 */
export async function depositSavings(
  deps: PayoutDeps,
  month: Month = monthToDeposit(today(deps.clock)),
): Promise<SavingsRun> {
  const written = month.slice(0, 7);
  if (month > monthToDeposit(today(deps.clock))) {
    throw new Conflict(`${written} has not ended; what is set aside in it is deposited after it.`);
  }
  // If a bucket cannot be planned, the deposits of the others still go.
  const [planning] = await Promise.allSettled([planDeposits(deps.db, deps.clock, month)]);
  const report = await submitPayouts(deps, depositKind);
  if (planning.status === 'rejected') throw planning.reason;
  throwIfStopped(report, 'deposits');
  const { submitted, totalCents, refused, unknown } = report;
  return { month: written, deposits: submitted, totalCents, refused, unknown };
}
