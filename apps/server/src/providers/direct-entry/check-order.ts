import type { Cents } from '@sparechange/domain';
import type { AccountHolder } from '#ports/direct-entry-book.ts';
import { maxCents } from './aba.ts';
import { accountTitle } from './bank-text.ts';

/**
 * Returns why an account does not fit a bank file, or undefined. A savings account number of 10 to 12 digits is valid
 * by the specification and is refused here, never cut (docs/rules.md#long-account-numbers). The reason does not repeat number or name.
 */
export function accountProblem({ name, bsb, accountNumber }: AccountHolder): string | undefined {
  if (!/^\d{3}[ -]?\d{3}$/.test(bsb.trim())) return 'the BSB has not six digits';
  const number = plainNumber(accountNumber);
  if (!/^\d+$/.test(number)) return 'the account number is not made of digits';
  if (number.length > 9) {
    return `the account number has ${number.length} digits and a bank file takes 9; pay it another way`;
  }
  if (/^0*$/.test(number)) return 'the account number is all zeros';
  return accountTitle(name) === undefined
    ? 'the name does not fit the 32 characters of a bank file, even with initials'
    : undefined;
}

/** Keeps an account number's leading zeros; drops hyphens and spaces. */
export const plainNumber = (accountNumber: string): string => accountNumber.replace(/[\s-]/g, '');

/** Returns why an order does not fit a bank file, or undefined. */
export function orderProblem(order: { amount: Cents; reference: string; remitter: string }): string | undefined {
  if (order.amount < 1 || order.amount > maxCents) return `an amount of ${order.amount} cents does not fit a bank file`;
  if (!/^[A-Z0-9]{1,18}$/.test(order.reference)) return 'the reference is not 1 to 18 capital letters and digits';
  return order.remitter.length > 16 ? 'the name for the statement has more than 16 characters' : undefined;
}
