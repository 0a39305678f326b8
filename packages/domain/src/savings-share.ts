import { type Cents, cents, noCents, subtract } from './money.ts';

/** Half to the supporter's savings, the odd cent to the club (docs/rules.md#savings-half). */
export function shareBetween(debit: Cents, savingsOn: boolean): { club: Cents; savings: Cents } {
  const savings = savingsOn ? cents(Math.floor(debit / 2)) : noCents;
  return { club: subtract(debit, savings), savings };
}
