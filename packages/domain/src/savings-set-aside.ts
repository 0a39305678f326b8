import { add, type Cents, cents, subtract } from './money.ts';

/** A supporter's set-aside, and deposits whose debit was reversed. */
export interface SetAside {
  payable: Cents;
  recoverable: Cents;
}

/** Adds to the set-aside after making good any recoverable deposit. */
export function addToSetAside({ payable, recoverable }: SetAside, amount: Cents): SetAside {
  const recovered = cents(Math.min(recoverable, amount));
  return { payable: subtract(add(payable, amount), recovered), recoverable: subtract(recoverable, recovered) };
}

/** Takes a reversal from the set-aside; what was deposited already becomes recoverable. Nothing falls below zero. */
export function takeFromSetAside({ payable, recoverable }: SetAside, amount: Cents): SetAside {
  const taken = cents(Math.min(payable, amount));
  return { payable: subtract(payable, taken), recoverable: subtract(add(recoverable, amount), taken) };
}
