/** All but the last four digits replaced by X. */
export function maskAccountNumber(number: string): string {
  return number.slice(0, -4).replace(/./g, 'X') + number.slice(-4);
}

/** Returns whether banks accept this length: at most 9 digits. */
export const isPayableNumber = (number: string): boolean => number.length <= 9;

const trustAccount = 'trust account';

/** The account of bank statements that name none, masked as a number would be: their lines are known by it. */
export const unnamedAccount = maskAccountNumber(trustAccount);

/** Names the account of a bank statement to people. */
export const nameOfAccount = (account: string): string => (account === unnamedAccount ? trustAccount : account);
