import { type Cents, cents } from './money.ts';
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

/** Returns the middle of the last eight debits, the newest first; null for fewer than three, which show nothing usual. */
export function usualOf(earlier: DebitToReview['earlier']): Cents | null {
  const remembered = earlier.slice(0, debitsRemembered).map(({ amount }) => amount);
  return remembered.length < fewestDebits ? null : cents(median(remembered));
}

/** Returns how a debit differs from earlier ones: the first one, more than three times what is usual, a new account. */
export function differencesOf({ amount, accountId, earlier }: DebitToReview): Difference[] {
  const [last] = earlier;
  if (!last) return ['first debit'];
  const usual = usualOf(earlier);
  const isFarAbove = usual !== null && amount > timesUsual * usual;
  return [
    ...(isFarAbove ? (['far above their usual'] as const) : []),
    ...(last.accountId === accountId ? [] : (['another account'] as const)),
  ];
}
