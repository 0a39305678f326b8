import { add, type Cents, cents, subtract } from './money.ts';

export interface ClubStanding {
  toPay: Cents;
  /** What it was paid and has not stayed given, beyond its reserve. */
  owes: Cents;
  /** What is left of its reserve. */
  heldBack: Cents;
}

/** Says where a club stands: a balance below zero uses what is held back from it first, and the club owes the rest. */
export function clubStanding(payable: Cents, reserved: Cents): ClubStanding {
  const toPay = cents(Math.max(0, payable));
  const both = subtract(add(payable, reserved), toPay);
  return { toPay, owes: cents(Math.max(0, -both)), heldBack: cents(Math.max(0, both)) };
}
