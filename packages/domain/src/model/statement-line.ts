import type { StatementLine } from '../eligibility.ts';
import type { Refundable } from '../purchase-refund.ts';
import { daysFrom } from './weeks.ts';

const billOpenings = ['DIRECT DEBIT', 'DDEBIT', 'DDR', 'BPAY'] as const;

function isBill({ isBillPayment, description }: StatementLine): boolean {
  const text = description.trim();
  const opens = (opening: string) =>
    text.slice(0, opening.length).toUpperCase() === opening && !/^\w/.test(text.slice(opening.length));
  return isBillPayment || billOpenings.some(opens);
}

/** Returns whether a line is a purchase to be rounded up (docs/rules.md#what-is-rounded). */
export const isRounded = (line: StatementLine, ownDebitMark: string): boolean =>
  line.amount > 0 &&
  line.currency === 'AUD' &&
  line.direction === 'debit' &&
  line.kind === 'payment' &&
  line.status === 'posted' &&
  !isBill(line) &&
  !line.description.toUpperCase().includes(ownDebitMark.toUpperCase());

/** Returns whether a line may pay a purchase back. */
export const mayPayBack = (line: StatementLine): boolean =>
  line.amount > 0 && line.currency === 'AUD' && line.direction === 'credit' && line.status === 'posted';

/** Returns the text by which two lines are the same purchase (docs/rules.md#one-purchase-one-round-up). */
export function purchaseText(description: string): string {
  const date = description.search(/\d\d\/\d\d /);
  const afterDate = date < 0 ? '' : description.slice(date + 'dd/dd '.length).trim();
  const text = afterDate === '' ? description.trim() : afterDate;
  return text.normalize('NFKC').toUpperCase().split(/\s+/).filter(Boolean).join(' ');
}

const kindsOfLine = new Set([
  ...(['REFUND', 'REVERSAL', 'REV', 'RETURN', 'CREDIT', 'PURCHASE'] as const),
  ...(['VISA', 'MASTERCARD', 'DEBIT', 'EFTPOS', 'POS'] as const),
] as string[]);

function withoutFirstKind(text: string): string {
  const [word = ''] = /^\w+/.exec(text) ?? [];
  if (kindsOfLine.has(word)) return text.slice(word.length).replace(/^[ :-]+/, '');
  return text.startsWith('CARD ') ? text.slice('CARD '.length).replace(/^X*\d{4}\b ?/, '') : text;
}

/** Returns the text by which a purchase and its refund name the same merchant (docs/rules.md#purchase-refunds). */
export function refundText(description: string): string {
  const text = purchaseText(description);
  let merchant = text;
  for (let next = withoutFirstKind(merchant); next !== merchant; next = withoutFirstKind(merchant)) merchant = next;
  merchant = merchant.replace(/ VALUE DATE: \d\d\/\d\d\/\d{4}$/, '').replace(/ CARD X*\d{4}$/, '');
  return merchant.trim() || text;
}

/** Returns whether a credit pays a purchase back: in full, to the same account, within 60 days. */
export const paysBack = (credit: Refundable, { account, amount, day, text }: Refundable): boolean =>
  [credit.account, credit.amount, credit.text].join('|') === [account, amount, text].join('|') &&
  daysFrom(day, credit.day) >= 0 &&
  daysFrom(day, credit.day) <= 60;
