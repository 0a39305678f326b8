import { add, type Cents, cents, subtract } from './money.ts';

export interface ClubPosition {
  toPay: Cents;
  /** Money paid to it for gifts that came back later, beyond its reserve. */
  owes: Cents;
  /** The rest of its reserve. */
  heldBack: Cents;
}

/** Divides what is to be paid from what a club owes: a balance below zero uses what is held back first, and the club owes the rest. */
export function clubPosition(payable: Cents, reserved: Cents): ClubPosition {
  const toPay = cents(Math.max(0, payable));
  const both = subtract(add(payable, reserved), toPay);
  return { toPay, owes: cents(Math.max(0, -both)), heldBack: cents(Math.max(0, both)) };
}
