import { type Cents, cents, formatCents } from './money.ts';

/** Says that a bank statement is missing. */
export const gapInWords = (gap: Cents): string =>
  `The opening balance is ${formatCents(cents(Math.abs(gap)))} ${gap > 0 ? 'more' : 'less'} than the lines before it come to: a statement may be missing.`;
