import { type Cents, moreOrLess } from './money.ts';

/** Says that a bank statement is missing. */
export const gapInWords = (gap: Cents): string =>
  `The opening balance is ${moreOrLess(gap)} than the lines before it come to: a statement may be missing.`;
