import type { RoundUpHistoryItem } from '@sparechange/contract';

/** The round-ups that are recorded and not debited yet. */
export const pendingCents = (items: RoundUpHistoryItem[]): number =>
  items.reduce((sum, item) => (item.state === 'waiting' ? sum + item.debitAmountCents : sum), 0);
