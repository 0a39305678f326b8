import type { PayoutState } from '#features/core/payouts/payout-kind.ts';
import type { OutcomeState } from '#ports/direct-debit.ts';

/** A debit or payout in our records and in the provider's; undefined for a side that does not know it. */
export interface Pair {
  ours: PayoutState | 'deferred' | 'parked' | undefined;
  theirs: OutcomeState | undefined;
  isSameAmount: boolean;
  /** False once polls no longer read theirs. */
  isReadAgain: boolean;
}

export type Match =
  | 'matched'
  | 'behind' // the provider is ahead; settling, or the next submission, catches up
  | 'missing here'
  | 'missing there'
  | 'amount differs'
  | 'outcome differs'
  | 'parked' // without an answer for a day; an operator decides, even if the provider has it
  | 'not sent';

const agreed: Record<OutcomeState, Pair['ours'][]> = {
  pending: ['submitted'],
  // When the provider reverses a cleared debit, its own record still says cleared.
  cleared: ['cleared', 'reversed'],
  returned: ['returned', 'reversed'],
};

const behind: Record<OutcomeState, Pair['ours'][]> = {
  pending: ['submitting'],
  cleared: ['submitting', 'submitted'],
  returned: ['submitting', 'submitted', 'cleared'],
};

/** Compares our payment with the provider's (docs/rules.md#reconciliation). */
export function matchPayment({ ours, theirs, isSameAmount, isReadAgain }: Pair): Match {
  if (ours === 'parked') return theirs && !isSameAmount ? 'amount differs' : 'parked';
  if (!theirs)
    return !ours || ['planned', 'submitting', 'refused', 'deferred'].includes(ours) ? 'not sent' : 'missing there';
  // A payment that we call refused, or have not sent, must not be with the provider: nobody would book it.
  if (!ours || ours === 'refused' || ours === 'planned' || ours === 'deferred') return 'missing here';
  if (!isSameAmount) return 'amount differs';
  if (agreed[theirs].includes(ours)) return 'matched';
  // A reversal that polls have missed needs attention; open payments are alarmed once overdue.
  const isForgotten = ours === 'cleared' && !isReadAgain;
  return behind[theirs].includes(ours) && !isForgotten ? 'behind' : 'outcome differs';
}
