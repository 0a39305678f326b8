import type { RoundUpHistoryItem } from '@sparechange/contract';
import { type Cents, noCents, total } from '@sparechange/domain';

/** The round-ups that are recorded and not debited yet. */
export const pendingCents = (items: RoundUpHistoryItem[]): Cents =>
  total(items.map(({ state, debitAmountCents }) => (state === 'waiting' ? debitAmountCents : noCents)));
