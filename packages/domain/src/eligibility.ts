import type { Cents } from './money.ts';

/** A line of a supporter's bank statement, in our words. */
export interface StatementLine {
  status: 'posted' | 'pending';
  direction: 'debit' | 'credit';
  /** payment, transfer, cash-withdrawal, bank-fee, ...; undefined where unknown. */
  kind: string | undefined;
  currency: string;
  /** Always positive. */
  amount: Cents;
  description: string;
  /** BPAY or a direct-entry debit: a bill, not a purchase. */
  isBillPayment: boolean;
}

export type NotRounded =
  | 'pending'
  | 'credit'
  | 'foreign currency'
  | 'not a payment'
  | 'bill payment'
  | 'own debit'
  | 'no amount';

const directEntry = /^\s*(direct debit|ddebit|ddr|bpay)\b/i;

/**
 * Returns why a line gives no round-up, or undefined for a purchase that does (docs/rules.md#what-is-rounded). An unknown kind fails closed.
 * `ownDebitMark` is the text our provider puts on statements: our own debits must never round themselves up.
 */
export function reasonNotRounded(line: StatementLine, ownDebitMark: string): NotRounded | undefined {
  if (line.status !== 'posted') return 'pending';
  if (line.direction !== 'debit') return 'credit';
  if (line.currency !== 'AUD') return 'foreign currency';
  if (line.kind !== 'payment') return 'not a payment';
  if (line.description.toUpperCase().includes(ownDebitMark.toUpperCase())) return 'own debit';
  if (line.isBillPayment || directEntry.test(line.description)) return 'bill payment';
  if (line.amount <= 0) return 'no amount';
  return undefined;
}
