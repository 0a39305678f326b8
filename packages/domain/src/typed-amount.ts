import { type Cents, cents } from './money.ts';

/** Groups of thousands have one separator throughout: 1,234 or 1 234, never 12,34. */
const typedAmount = /^\$?\s*(\d{1,9}|[1-9]\d{0,2}(?:([, \u00a0\u202f])\d{3})(?:\2\d{3})*)(?:[.,](\d{1,2}))?$/;

/**
 * Reads an amount as people type it: 2, 2.5, 2.50, 2,50 or $1,234.50; undefined for anything else. A comma before three
 * digits groups thousands, before one or two it is the decimal comma (docs/rules.md#amounts-and-days).
 */
export function parseTypedAmount(typed: string): Cents | undefined {
  const [, whole, , fraction = ''] = typedAmount.exec(typed.trim()) ?? [];
  if (whole === undefined) return undefined;
  return cents(Number(whole.replace(/\D/g, '')) * 100 + Number(fraction.padEnd(2, '0')));
}

/** Reads a typed amount of whole dollars above zero, such as a goal: 5000, $5,000 or 5000.00; undefined for anything else. */
export function parseWholeDollars(typed: string): number | undefined {
  const amount = parseTypedAmount(typed);
  return amount !== undefined && amount > 0 && amount % 100 === 0 ? amount / 100 : undefined;
}
