import { type ReturnCode, returnCodes } from '#ports/direct-debit.ts';

/** Returns a digit's return code; undefined for 0 or non-digits. */
export const parseReturnCode = (digit: string): ReturnCode | undefined =>
  returnCodes.find((code) => String(code) === digit);
