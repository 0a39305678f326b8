import type { Backdating } from '@sparechange/contract';
import { formatCents } from '@sparechange/domain';

/** Stands there when the bank has not told yet. */
export const notKnown = 'What this adds shows on your dashboard a moment later.';

/** Says what "Yes" adds, as far as already known. */
export function backdatingWords(backdating: Backdating | null): string {
  if (!backdating) return notKnown;
  const { purchases } = backdating;
  if (purchases === 0) return 'Your bank shows no purchases before today, so for now Yes adds nothing.';
  const from = purchases === 1 ? 'one purchase' : `${purchases} purchases`;
  return `As far as your bank shows, Yes adds ${formatCents(backdating.cents)} from ${from}. It goes with your first debit.`;
}
