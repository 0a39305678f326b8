import { add, type Cents, cents, subtract } from './money.ts';

/** The club's part of a debit and the set-aside part. */
export interface DebitParts {
  club: Cents;
  savings: Cents;
}

/**
 * Splits what is given back of a debit into the club's part and what was set aside, in the proportion of what is left of
 * both; the cent that is left over comes from the club. What is left is given back to the cent. Throws when more is asked for.
 */
export function splitRepayment(remaining: DebitParts, amount: Cents): DebitParts {
  const whole = add(remaining.club, remaining.savings);
  if (amount < 1 || amount > whole) throw new RangeError(`${amount} is not between 1 and ${whole} cents`);
  const savings = cents(Math.floor((amount * remaining.savings) / whole));
  return { club: subtract(amount, savings), savings };
}
