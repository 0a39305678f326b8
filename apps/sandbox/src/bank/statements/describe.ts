import type { IsoDate } from '#world/days.ts';
import type { Seeded } from '#world/seeded.ts';
import type { Bank } from './banks.ts';
import type { Merchant } from './merchants.ts';

const dayAndMonth = (date: IsoDate): string => `${date.slice(8, 10)}/${date.slice(5, 7)}`;
const australianDate = (date: IsoDate): string => `${dayAndMonth(date)}/${date.slice(0, 4)}`;

/** A card purchase as this bank's statements put it. Every bank mixes a few forms, as real ones do. */
export function describePurchase(bank: Bank, merchant: Merchant, date: IsoDate, random: Seeded): string {
  const { name, suburb, state } = merchant;
  const form = random.whole(0, 9);
  if (bank.style === 'leading date') {
    if (form < 5) return `VISA DEBIT PURCHASE CARD ${cardEnd(random)} ${dayAndMonth(date)} ${name} ${suburb} AU`;
    if (form < 8) {
      return `MISCELLANEOUS DEBIT V${cardEnd(random)} ${dayAndMonth(date)} ${name} ${suburb} ${random.whole(70_000_000_000, 79_999_999_999)}`;
    }
    return `EFTPOS DEBIT EFTPOS ${dayAndMonth(date)} ${timeOfDay(random)} ${name}`;
  }
  if (bank.style === 'value date') {
    if (form < 7)
      return `${name} ${suburb} ${state.slice(0, 2)} AUS Card xx${cardEnd(random)} Value Date: ${australianDate(date)}`;
    return `${name} ${suburb} ${state.slice(0, 2)} AUS Tap and Pay xx${cardEnd(random)}`;
  }
  if (form < 5) return `DEBIT CARD PURCHASE ${name} ${suburb} AUS`;
  if (form < 8) return `EFTPOS ${name} ${suburb} ${dayAndMonth(date)}`;
  return `${name} - Visa Purchase - Receipt ${random.whole(100_000, 999_999)}In ${suburb} Card 462263xxxxxx${cardEnd(random)}`;
}

export const describeForeign = (name: string, date: IsoDate): string =>
  `${name} Card xx4471 USD ${(Number(date.slice(8, 10)) + 3.5).toFixed(2)}`;

const cardEnd = (random: Seeded): string => String(random.whole(1000, 9999));

const timeOfDay = (random: Seeded): string =>
  `${String(random.whole(7, 21)).padStart(2, '0')}:${String(random.whole(0, 59)).padStart(2, '0')}`;
