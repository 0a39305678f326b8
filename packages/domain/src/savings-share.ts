import { type Cents, cents } from './money.ts';

/** Half to the supporter's savings, the odd cent to the club (docs/rules.md#savings-half). */
export function shareBetween(debit: Cents, savingsOn: boolean): { club: Cents; savings: Cents } {
  const savings = savingsOn ? Math.floor(debit / 2) : 0;
  return { club: cents(debit - savings), savings: cents(savings) };
}
