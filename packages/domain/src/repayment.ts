import { add, type Cents, cents, subtract } from './money.ts';

/** The club's part of a debit and the set-aside part. */
export interface DebitParts {
  club: Cents;
  savings: Cents;
}

/**
 * Splits a repayment into the club's part and the set-aside part, in proportion to what remains of each; the odd cent comes
 * from the club. Throws a RangeError if the amount is more than remains, or less than a cent.
 */
export function splitRepayment(remaining: DebitParts, amount: Cents): DebitParts {
  const remainingTotal = add(remaining.club, remaining.savings);
  if (amount < 1 || amount > remainingTotal)
    throw new RangeError(`${amount} is not between 1 and ${remainingTotal} cents`);
  const savings = cents(Math.floor((amount * remaining.savings) / remainingTotal));
  return { club: subtract(amount, savings), savings };
}
