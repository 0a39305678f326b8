import { cents } from '@sparechange/domain';
import { receiptDocument } from '#features/supporters/receipts/receipt-document.ts';
import type { ReceiptFacts } from '#features/supporters/receipts/receipt-facts.ts';
import { printPoster } from '../poster.ts';
import { printDocument } from '../print.ts';

const svg = (inside: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 48">${inside}</svg>`;
/** A receipt of one gift to one club. */
export const facts: ReceiptFacts = {
  kind: 'month',
  number: '1DP8Y-3JD3Y-2026-10',
  firstDay: '2026-10-01',
  lastDay: '2026-10-31',
  issuedOn: '2026-11-02',
  issuer: 'Sparechange Pty Ltd',
  supporter: 'Ava Nguyễn',
  totalCents: cents(430),
  deductibleCents: cents(0),
  savingsCents: cents(0),
  clubs: [
    {
      name: 'Night Kitchen',
      abn: null,
      isDeductibleGiftRecipient: false,
      totalCents: cents(430),
      deductibleCents: cents(0),
      lines: [{ day: '2026-10-05', kind: 'round-ups', cents: cents(430) }],
    },
  ],
};
export const brand = { name: 'Rovers', logo: svg('<rect width="240" height="48" fill="#17696b"/>'), accent: '#17696b' };
export const receipt = (changes: Partial<ReceiptFacts> = {}) =>
  printDocument(receiptDocument({ ...facts, ...changes }, brand, new Date(0)));
export const poster = (club = 'Wattle Creek Football Club') =>
  printPoster({
    theme: { primary: '#000000', background: '#47b3b5', switch: '#47b3b5', body: '#ffffff', secondary: '#47b3b5' },
    brand: 'Rovers',
    logo: brand.logo,
    mark: undefined,
    club,
    place: 'Wattle Creek',
    address: 'https://give.example/wattle-creek-fc?efg=1',
    provider: 'Sparechange',
  });
