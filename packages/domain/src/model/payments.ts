import type { DeferralReason, GuardedDebit } from '../low-balance.ts';
import { type Cents, cents } from '../money.ts';
import type { DebitParts } from '../repayment.ts';

/** Runs an amount waits before it is dropped (docs/rules.md#low-balance-check). */
export const runsBeforeDropped = 3;

/** Returns why a debit is deferred, or that it goes. An account without a readable balance is debited every other run. */
export function balanceVerdict({ floor, amount, balance, wasUnread }: GuardedDebit): DeferralReason | 'goes' {
  if (floor === 0) return 'goes';
  if (typeof balance !== 'number') return wasUnread ? 'goes' : 'not readable';
  if (balance >= Math.max(floor, amount)) return 'goes';
  return balance < amount ? 'below debit' : 'below floor';
}

/** Returns the cents of a repayment that come from savings; the odd cent comes from the club (docs/rules.md#refund-of-a-debit). */
export function savingsRepaid({ club, savings }: DebitParts, amount: Cents): Cents {
  const shares = amount * savings;
  return cents((shares - (shares % (club + savings))) / (club + savings));
}

/** Returns whether a payment without a conclusive answer is parked once it is tried again. */
export const isOverdue = (unansweredMs: number, attempts: number): boolean =>
  unansweredMs >= 24 * 3_600_000 && attempts >= 5;
