import { type ReturnCode, returnCodes } from '#ports/direct-debit.ts';

/** Why a bank sends a direct-entry item back, by its code (facts/payments.md 1.8); files and hosted providers share them. */
export const becsReasons: Record<ReturnCode, string> = {
  1: 'invalid BSB',
  2: 'payment stopped',
  3: 'account closed',
  4: 'customer deceased',
  5: 'no account, or a wrong number',
  6: 'refer to customer',
  7: 'account deleted',
  8: 'invalid user id',
  9: 'technically invalid',
};

/** The return code a digit stands for; undefined for 0 and for anything that is not one. */
export const parseReturnCode = (digit: string): ReturnCode | undefined =>
  returnCodes.find((code) => String(code) === digit);
