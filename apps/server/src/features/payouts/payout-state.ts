import type { Outcome } from '#ports/direct-debit.ts';

export type PayoutState = 'planned' | 'submitting' | 'submitted' | 'cleared' | 'returned' | 'reversed' | 'refused';

/** The effect of a notification or a poll. */
export type PayoutChange = 'cleared' | 'returned' | 'reversed' | 'nothing';

/**
 * Returns the effect of news of a payout: it moves forward only, and one that comes back after it had arrived is
 * reversed. Late, doubled and reordered news change nothing twice (docs/rules.md#outcomes-move-forward).
 */
export function payoutChange(state: PayoutState, news: Outcome['state']): PayoutChange {
  if (state === 'submitted') return news === 'pending' ? 'nothing' : news;
  return state === 'cleared' && news === 'returned' ? 'reversed' : 'nothing';
}
