import type { Cents } from './money.ts';
import { median } from './run-anomaly.ts';

/** In what a debit differs from the supporter's usual ones. */
export type Difference = 'first debit' | 'far above their usual' | 'another account';

/** Debits that show what is usual, some three weeks. */
export const debitsRemembered = 8;
const fewestDebits = 3;
const timesUsual = 3;

export interface DebitToReview {
  amount: Cents;
  accountId: string;
  /** The last debits of the same supporter, the newest first. */
  earlier: readonly { amount: Cents; accountId: string }[];
}

/** Returns how a debit differs from earlier ones: nobody was debited before, more than three times the middle of the last eight, a new account. */
export function differencesOf({ amount, accountId, earlier }: DebitToReview): Difference[] {
  const [last] = earlier;
  if (!last) return ['first debit'];
  const remembered = earlier.slice(0, debitsRemembered).map(({ amount }) => amount);
  const isFarAbove = remembered.length >= fewestDebits && amount > timesUsual * median(remembered);
  return [
    ...(isFarAbove ? (['far above their usual'] as const) : []),
    ...(last.accountId === accountId ? [] : (['another account'] as const)),
  ];
}
