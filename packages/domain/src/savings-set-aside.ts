import { type Cents, cents } from './money.ts';

/** What is set aside for a supporter, and what was deposited although its debit was taken back later. */
export interface SetAside {
  payable: Cents;
  recoverable: Cents;
}

/** What comes in first makes good what was deposited too much; the rest is set aside. */
export function addToSetAside({ payable, recoverable }: SetAside, amount: Cents): SetAside {
  const recovered = Math.min(recoverable, amount);
  return { payable: cents(payable + amount - recovered), recoverable: cents(recoverable - recovered) };
}

/** What is taken back comes out of what is set aside; what has left already is to be recovered. Nothing falls below zero. */
export function takeFromSetAside({ payable, recoverable }: SetAside, amount: Cents): SetAside {
  const taken = Math.min(payable, amount);
  return { payable: cents(payable - taken), recoverable: cents(recoverable + amount - taken) };
}
