import { type ReturnCode, returnCodes } from '#ports/direct-debit.ts';

/** The return code a digit stands for; undefined for 0 and for anything that is not one. */
export const parseReturnCode = (digit: string): ReturnCode | undefined =>
  returnCodes.find((code) => String(code) === digit);
