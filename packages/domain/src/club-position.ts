import { add, type Cents, cents, subtract } from './money.ts';

export interface ClubPosition {
  toPay: Cents;
  /** What it was paid and has not stayed given, beyond its reserve. */
  owes: Cents;
  /** What is left of its reserve. */
  heldBack: Cents;
}

/** Divides what is to be paid from what a club owes: a balance below zero uses what is held back first, and the club owes the rest. */
export function clubPosition(payable: Cents, reserved: Cents): ClubPosition {
  const toPay = cents(Math.max(0, payable));
  const both = subtract(add(payable, reserved), toPay);
  return { toPay, owes: cents(Math.max(0, -both)), heldBack: cents(Math.max(0, both)) };
}
