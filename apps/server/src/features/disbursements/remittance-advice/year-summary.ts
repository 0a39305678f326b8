import {
  type Cents,
  csv,
  dollars,
  formatCents,
  historyDate,
  type IsoDate,
  isoDate,
  negate,
  periodInWords,
  total,
} from '@sparechange/domain';
import type { DocumentBrand, PrintedDocument } from '#documents/document.ts';
import type { AdviceFacts } from './advice-repository.ts';

const heads = ['Gross', 'Returned', 'Savings part', 'Adjusted', 'Deposit'];

/** Returns the amounts under the headings; the others add up to the last. */
const amountsOf = ({ totals, adjustments }: AdviceFacts): Cents[] => [
  totals.gross,
  negate(totals.returned),
  negate(totals.savings),
  total(adjustments.map(({ cents }) => cents)),
  totals.net,
];

/** Writes a line for each payout; the last column adds up to the amount paid. */
export const yearCsv = (advices: AdviceFacts[]): string =>
  csv([
    ['Paid on', 'Reference', ...heads],
    ...advices.map((facts) => [facts.paidOn, facts.reference, ...amountsOf(facts).map(dollars)]),
  ]);

export interface SummaryPeriod {
  title: string;
  label: string;
  period: string;
}

export const financialYear = (firstDay: IsoDate): SummaryPeriod => ({
  title: 'Payouts of a year',
  label: 'Financial year',
  period: periodInWords({ kind: 'year', firstDay }),
});

export const chosenDays = (from: IsoDate, to: IsoDate): SummaryPeriod => ({
  title: 'Payouts of some days',
  label: 'Days',
  period: `${historyDate(from)} to ${historyDate(to)}`,
});

/** Describes a club's payouts, a line each, for its treasurer and auditor. */
export function summaryDocument(
  advices: AdviceFacts[],
  { title, label, period }: SummaryPeriod,
  brand: DocumentBrand,
  madeAt: Date,
): PrintedDocument {
  const { name = '', abn = null } = advices.at(-1)?.club ?? {};
  const lines = advices.map(amountsOf);
  const sums = heads.map((_, at) => formatCents(total(lines.flatMap((line) => line.slice(at, at + 1)))));
  return {
    title,
    subtitle: name,
    brand,
    figure: { label: 'Paid', value: sums.at(-1) ?? '' },
    madeAt,
    foot: `Payouts  ·  ${name}  ·  ${period}`,
    blocks: [
      {
        kind: 'facts',
        facts: [
          [label, period],
          ['ABN', abn ?? 'none'],
          ['Payouts', String(advices.length)],
        ],
      },
      { kind: 'heading', text: 'Payout by payout' },
      {
        kind: 'table',
        columns: [{ head: 'Paid on' }, { head: 'On your statement', width: 112 }, ...heads.map((head) => ({ head }))],
        rows: advices.map((facts) => [
          historyDate(isoDate(facts.paidOn)),
          facts.reference,
          ...amountsOf(facts).map(formatCents),
        ]),
        total: ['Paid', '', ...sums],
      },
      {
        kind: 'small',
        text: 'By the day of payment. Gross is what was collected from supporters. Returned is what a bank took back, or was refunded to a supporter. The savings part is the half of round-ups that some supporters put aside for themselves. Adjusted are corrections and what a reserve held back or paid out. No fee is taken. A payout that did not arrive is included in the payout that replaced it.',
      },
    ],
  };
}
