import {
  formatCents,
  fullDay,
  historyDate,
  isoDate,
  monthYear,
  negate,
  periodInWords,
  subtract,
} from '@sparechange/domain';
import type { DocumentBlock, DocumentBrand, PrintedDocument } from '#documents/document.ts';
import type { ReceiptClub, ReceiptFacts } from './receipt-facts.ts';

/** "51 824 753 556", as an ABN is usually written. */
const abnInGroups = (abn: string): string => abn.replace(/^(\d{2})(\d{3})(\d{3})(\d{3})$/, '$1 $2 $3 $4');

const inWords = {
  'round-ups': 'Round-ups',
  'one-off gift': 'One-off donation',
  'taken back': 'Taken back by your bank',
  refunded: 'Refunded to you',
};

/** Lays out a receipt. Section 30-228 of the Act requires the recipient's name, its ABN, and that it was a gift. */
export function receiptDocument(facts: ReceiptFacts, brand: DocumentBrand, madeAt: Date): PrintedDocument {
  const { kind, number, supporter, issuer, clubs, totalCents, savingsCents } = facts;
  const period = periodInWords({ kind, firstDay: isoDate(facts.firstDay) });
  const what = kind === 'month' ? 'Receipt' : 'Statement';
  const isLess = totalCents < 0;
  return {
    title: kind === 'month' ? 'Donation receipt' : 'Donation statement',
    subtitle: kind === 'month' ? `Cleared in ${period}` : `Cleared in the financial year ${period}`,
    brand,
    figure: { label: isLess ? 'Taken back more than given' : 'Total received', value: formatCents(totalCents) },
    madeAt,
    foot: `${what} ${number}  ·  ${issuer}  ·  ${period}`,
    blocks: [
      {
        kind: 'facts',
        facts: [
          [`${what} number`, number],
          ['Received from', supporter],
          ['Issued on', fullDay(isoDate(facts.issuedOn))],
          ['Issued by', issuer],
        ],
      },
      ...clubs.flatMap((club) => sectionOf(club, facts)),
      ...(savingsCents === 0
        ? []
        : [
            {
              kind: 'small',
              text: `${formatCents(savingsCents)} of the same debits was set aside for your own savings account. It is yours, not a donation, and not part of this total.`,
            } as const,
          ]),
      ...(kind === 'month'
        ? []
        : [
            {
              kind: 'small',
              text: 'The receipts of its months are for the same donations, one by one: count them here or there, not twice.',
            } as const,
          ]),
      {
        kind: 'small',
        text: `Everything that cleared ${kind === 'month' ? 'in' : 'from'} ${period} is on this ${what.toLowerCase()}. A debit still on its way then is on the one for the ${kind} in which it cleared; one that your bank took back later is on the one for the ${kind} in which that happened.`,
      },
    ],
  };
}

function sectionOf(club: ReceiptClub, { kind, clubs }: ReceiptFacts): DocumentBlock[] {
  const day = (text: string) => (kind === 'month' ? historyDate(isoDate(text)) : monthYear(text));
  return [
    { kind: 'heading', text: club.abn ? `${club.name}, ABN ${abnInGroups(club.abn)}` : club.name },
    {
      kind: 'table',
      columns: [{ head: kind === 'month' ? 'Cleared' : 'Month', width: 76 }, { head: 'What' }, { head: 'Amount' }],
      rows: club.lines.map((line) => [day(line.day), inWords[line.kind], formatCents(line.cents)]),
      total: ['Total', clubs.length > 1 ? club.name : '', formatCents(club.totalCents)],
    },
    { kind: 'note', text: taxNote(club, kind) },
  ];
}

/** Returns the sentence on deductibility, unambiguous either way. */
function taxNote(
  { name, isDeductibleGiftRecipient, totalCents, deductibleCents }: ReceiptClub,
  kind: ReceiptFacts['kind'],
): string {
  if (!isDeductibleGiftRecipient) return `Not tax deductible. ${name} is not a deductible gift recipient.`;
  const receipt = kind === 'month' ? 'This receipt is for a gift to it' : 'This statement is a receipt for gifts to it';
  const gift = `${name} is a deductible gift recipient. ${receipt} (section 30-228 of the Income Tax Assessment Act 1997).`;
  if (deductibleCents < 0)
    return `${gift} More was taken back than given: earlier receipts are too high by ${formatCents(negate(deductibleCents))} of tax deductible gifts.`;
  if (deductibleCents === totalCents) return `${gift} ${formatCents(deductibleCents)} is tax deductible.`;
  return `${gift} ${formatCents(deductibleCents)} is tax deductible: the gifts of $2 or more made since it became one. The other ${formatCents(subtract(totalCents, deductibleCents))} is not.`;
}
