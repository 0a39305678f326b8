import type { IsoDate } from '#world/days.ts';
import type { Seeded } from '#world/seeded.ts';
import type { Merchant } from './merchants.ts';

/** An invented bank with habits that real ones have. */
export interface Bank {
  id: string;
  name: string;
  /** First three digits of its BSBs: institution and state. */
  bsbPrefix: string;
  style: 'leading date' | 'value date' | 'no date';
  showsPending: boolean;
  /** The bank's midnight in UTC, or the date alone. */
  postDate: 'sydney midnight' | 'utc midnight';
  transactionDate: 'purchase' | 'empty';
  directDebit: (creditor: string, reference: string) => string;
}

export const banks: readonly [Bank, Bank, Bank] = [
  {
    id: 'AU00000',
    name: 'Hooli',
    bsbPrefix: '602',
    style: 'leading date',
    showsPending: true,
    postDate: 'sydney midnight',
    transactionDate: 'purchase',
    directDebit: (creditor, reference) => `DIRECT DEBIT ${creditor} ${reference}`,
  },
  {
    id: 'AU00101',
    name: 'Harbour Bank',
    bsbPrefix: '752',
    style: 'value date',
    showsPending: true,
    postDate: 'sydney midnight',
    transactionDate: 'empty',
    directDebit: (creditor, reference) => `Direct Debit 481203 ${creditor} ${reference}`,
  },
  {
    id: 'AU00202',
    name: 'Outback Mutual',
    bsbPrefix: '914',
    style: 'no date',
    showsPending: false,
    postDate: 'utc midnight',
    transactionDate: 'empty',
    directDebit: (creditor, reference) => `${creditor} ${reference}`,
  },
];

export const findBank = (id: string): Bank | undefined => banks.find((bank) => bank.id === id);

export function getBank(id: string): Bank {
  const bank = findBank(id);
  if (bank === undefined) throw new Error(`There is no bank ${id}.`);
  return bank;
}

const cardEnd = (random: Seeded): string => String(random.whole(1000, 9999));

const timeOfDay = (random: Seeded): string =>
  `${String(random.whole(7, 21)).padStart(2, '0')}:${String(random.whole(0, 59)).padStart(2, '0')}`;

/** A card purchase as this bank's statements put it. Every bank mixes a few forms, as real ones do. */
export function describePurchase({ style }: Bank, merchant: Merchant, date: IsoDate, random: Seeded): string {
  const { name, suburb, state } = merchant;
  const onDay = `${date.slice(8, 10)}/${date.slice(5, 7)}`;
  const form = random.whole(0, 9);
  if (style === 'leading date') {
    if (form < 5) return `VISA DEBIT PURCHASE CARD ${cardEnd(random)} ${onDay} ${name} ${suburb} AU`;
    if (form >= 8) return `EFTPOS DEBIT EFTPOS ${onDay} ${timeOfDay(random)} ${name}`;
    const end = cardEnd(random);
    return `MISCELLANEOUS DEBIT V${end} ${onDay} ${name} ${suburb} ${random.whole(70_000_000_000, 79_999_999_999)}`;
  }
  if (style === 'value date') {
    const place = `${name} ${suburb} ${state.slice(0, 2)} AUS`;
    if (form < 7) return `${place} Card xx${cardEnd(random)} Value Date: ${onDay}/${date.slice(0, 4)}`;
    return `${place} Tap and Pay xx${cardEnd(random)}`;
  }
  if (form < 5) return `DEBIT CARD PURCHASE ${name} ${suburb} AUS`;
  if (form < 8) return `EFTPOS ${name} ${suburb} ${onDay}`;
  return `${name} - Visa Purchase - Receipt ${random.whole(100_000, 999_999)}In ${suburb} Card 462263xxxxxx${cardEnd(random)}`;
}
