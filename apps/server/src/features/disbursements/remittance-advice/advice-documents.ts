import {
  aboutAmount,
  csv,
  dollars,
  formatCents,
  fullDay,
  historyDate,
  isoDate,
  negate,
  noCents,
  textCell,
} from '@sparechange/domain';
import type { DocumentBrand, PrintedDocument } from '#documents/document.ts';
import { minPublishedSupporters, publishedSupporters } from '#features/beneficiaries/clubs/club-figures.ts';
import type { AdviceFacts } from './advice-repository.ts';

type Adjustment = AdviceFacts['adjustments'][number];

const nameOf = ({ kind, cents }: Adjustment): string => {
  if (kind === 'correction') return 'Correction';
  return cents < 0 ? 'Held back as a reserve' : 'Out of the reserve';
};

/**
 * Writes a line for each day, with amounts in plain dollars: the column Net adds up to the deposits. Corrections and
 * the reserve have lines of their own, named in the column Day with the operator's words. Numbers of supporters too
 * small to publish have an empty cell.
 */
export const adviceCsv = (advices: AdviceFacts[]): string =>
  forSpreadsheets(
    csv([
      ['Deposit', 'Day', 'Supporters', 'Gross', 'Returned', 'Savings part', 'Fees', 'Net'],
      ...advices.flatMap(rowsOf),
    ]),
  );

/** Marks non-ASCII text as UTF-8: otherwise Excel reads it in the computer's own code page. */
const forSpreadsheets = (text: string): string => (/^\p{ASCII}*$/u.test(text) ? text : `\uFEFF${text}`);

function rowsOf({ reference, days, adjustments }: AdviceFacts): string[][] {
  return [
    ...days.map(({ day, supporters, gross, returned, savings, net }) => [
      reference,
      day,
      publishedSupporters(supporters, ''),
      dollars(gross),
      dollars(negate(returned)),
      dollars(negate(savings)),
      dollars(noCents),
      dollars(net),
    ]),
    ...adjustments.map((each) => [reference, dayCellOf(each), '', '', '', '', '', dollars(each.cents)]),
  ];
}

function dayCellOf(adjustment: Adjustment): string {
  const name = [nameOf(adjustment), adjustment.day].filter(Boolean).join(' ');
  return adjustment.reason === null ? name : textCell(`${name}: ${adjustment.reason}`);
}

export const adviceFileName = ({ reference, paidOn }: AdviceFacts): string => `payout-${paidOn}-${reference}`;

const dayOf = (adjustment: Adjustment): string =>
  adjustment.day ? `${nameOf(adjustment)} ${historyDate(isoDate(adjustment.day))}` : nameOf(adjustment);

/** Explains in one sentence how the forecast is made. */
const method =
  "Based on your last 12 weeks, or fewer for a new club, and today's supporters. Four times in five it lands in the range. One-off donations and backdated first debits are not counted.";

/** Lays out an advice for the treasurer. */
export function adviceDocument(facts: AdviceFacts, brand: DocumentBrand, madeAt: Date): PrintedDocument {
  const { club, reference, paidOn, days, adjustments, supporters, totals, forecast } = facts;
  const [first, last] = [days[0]?.day ?? paidOn, days.at(-1)?.day ?? paidOn];
  const span = first === last ? fullDay(isoDate(first)) : `${fullDay(isoDate(first))} to ${fullDay(isoDate(last))}`;
  return {
    title: 'Payout',
    subtitle: club.name,
    brand,
    figure: { label: 'Deposit', value: formatCents(totals.net) },
    madeAt,
    foot: `Payout ${reference}  ·  ${club.name}  ·  ${fullDay(isoDate(paidOn))}`,
    blocks: [
      {
        kind: 'facts',
        facts: [
          ['On your statement', reference],
          ['Paid on', fullDay(isoDate(paidOn))],
          ['Cleared on', span],
          ['People who gave', publishedSupporters(supporters, `Fewer than ${minPublishedSupporters}`)],
        ],
      },
      { kind: 'heading', text: 'What it is made of' },
      {
        kind: 'table',
        columns: ['Cleared', 'Supporters', 'Gross', 'Returned', 'Savings part', 'Fees', 'Net'].map((head) => ({
          head,
        })),
        rows: [
          ...days.map(({ day, supporters, gross, returned, savings, net }) => [
            historyDate(isoDate(day)),
            publishedSupporters(supporters, ''),
            formatCents(gross),
            formatCents(negate(returned)),
            formatCents(negate(savings)),
            formatCents(noCents),
            formatCents(net),
          ]),
          ...adjustments.map((each) => [dayOf(each), '', '', '', '', '', formatCents(each.cents)]),
        ],
        total: [
          'Deposit',
          publishedSupporters(supporters, ''),
          formatCents(totals.gross),
          formatCents(negate(totals.returned)),
          formatCents(negate(totals.savings)),
          formatCents(negate(totals.fees)),
          formatCents(totals.net),
        ],
      },
      ...adjustments.flatMap((each) =>
        each.reason === null ? [] : [{ kind: 'note' as const, text: `${dayOf(each)}: ${each.reason}` }],
      ),
      {
        kind: 'small',
        text: `Gross is what was collected from supporters. Returned is what a bank took back, or was refunded to a supporter, after it had cleared. The savings part is the half of round-ups that some supporters put aside for themselves. No fee is taken.${adjustments.length > 0 ? ' A reserve is held back so that claims after a payout are covered; it stays yours.' : ''}`,
      },
      { kind: 'heading', text: 'The next four weeks' },
      {
        kind: 'note',
        text: forecast
          ? `About ${aboutAmount(forecast.expected)}, between ${aboutAmount(forecast.low)} and ${aboutAmount(forecast.high)}.`
          : 'There is a forecast once four weeks of round-ups have cleared.',
      },
      { kind: 'small', text: method },
    ],
  };
}
