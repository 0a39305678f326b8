import { formatCents } from '@sparechange/domain';
import type { Donated } from './history-queries.ts';

/** Says how much is unconfirmed; `none` where nothing was debited. */
export function inFlightWords(donated: Donated, none: string): string {
  if (donated.inFlightCents > 0) return `${formatCents(donated.inFlightCents)} of it being debited`;
  return donated.cents === 0 ? none : 'All of it has cleared';
}
