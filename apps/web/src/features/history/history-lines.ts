import type { HistoryDebit, OutputOf, RoundUpHistoryItem, retrieveHistory } from '@sparechange/contract';
import {
  type Cents,
  described,
  dollars,
  folded,
  formatCents,
  hasFolded,
  historyDescription,
  type IsoDate,
  isoDate,
  merchantName,
  monthStart,
  noCents,
  parseDollars,
  periodInWords,
  total,
  withoutTerminal,
} from '@sparechange/domain';

export type History = Pick<OutputOf<typeof retrieveHistory>, 'roundUphistory' | 'debits'>;

export interface LineChoice {
  search: string;
  /** Also lines that gave nothing. */
  showsAll: boolean;
}

/** A row of the history: a purchase, a gift, or a debit's amount for purchases not listed. */
export interface Line {
  id: string;
  day: IsoDate;
  name: string;
  /** As the bank sent it. */
  description?: string;
  /** The purchase in dollars, as received. */
  amount?: string;
  cents: Cents;
  debitedOn: IsoDate | undefined;
  /** The amount it adds to its month; undefined until it is debited. */
  givenCents?: Cents;
  /** The first day of the month that it counts in; undefined while it waits. */
  month: IsoDate | undefined;
  why: RoundUpHistoryItem['why'];
  state: RoundUpHistoryItem['state'];
  /** True for a purchase, whose trace can be opened. */
  isPurchase: boolean;
}

const waits = ({ given, state, why }: RoundUpHistoryItem): boolean =>
  why === 'waiting for your bank' || (given === null && (state === 'waiting' || state === 'submitted'));

function lineOfPurchase(item: RoundUpHistoryItem): Line {
  const { lineId, createdDate, description, amount, debitAmountCents, why, state, given } = item;
  const day = isoDate(createdDate);
  const debitedOn = given ? isoDate(given.on) : undefined;
  const isWaiting = waits(item);
  return {
    id: lineId,
    day,
    name: described(merchantName(description)),
    description,
    amount,
    cents: debitAmountCents,
    debitedOn,
    ...(!isWaiting && { givenCents: given?.clubCents ?? noCents }),
    month: isWaiting ? undefined : monthStart(debitedOn ?? day),
    why,
    state,
    isPurchase: true,
  };
}

const lettersOf = (text: string): string => folded(text).replaceAll(/[\s\p{P}]/gu, '');

/** Tells whether the bank's text of a purchase, as the history shows it, says more to a person than the name. */
export const saysMore = (description: string, name: string): boolean =>
  !lettersOf(name).includes(lettersOf(withoutTerminal(historyDescription(description))));

const namesOfDebits: Record<HistoryDebit['kind'], string> = {
  'one-off donation': 'One-off donation',
  'round-ups': 'Round-ups whose purchases are not listed',
};

function lineOfDebit({ debitId, kind, date, amountCents, clubCents, state }: HistoryDebit): Line {
  const day = isoDate(date);
  const isWaiting = clubCents === null && state !== 'returned';
  return {
    id: debitId,
    day,
    name: namesOfDebits[kind],
    cents: amountCents,
    debitedOn: clubCents === null ? undefined : day,
    ...(!isWaiting && { givenCents: clubCents ?? noCents }),
    month: isWaiting ? undefined : monthStart(day),
    why: null,
    state,
    isPurchase: false,
  };
}

const newestFirst = (lines: Line[]): Line[] => lines.toSorted((one, other) => other.day.localeCompare(one.day));

/** Lists all lines of a history, newest first. */
export const linesOf = ({ roundUphistory, debits }: History): Line[] =>
  newestFirst([...debits.map(lineOfDebit), ...roundUphistory.map(lineOfPurchase)]);

const counts = ({ cents, why }: Line): boolean => cents !== 0 || why === 'waiting for your bank';

const textOf = ({ name, description = '', amount, cents }: Line): string => {
  const written = amount ?? dollars(cents);
  return `${name} ${description} $${written} ${formatCents(parseDollars(written) ?? noCents)}`;
};

/** Filters the lines. */
export function chooseLines(lines: Line[], { search, showsAll }: LineChoice): Line[] {
  return lines.filter((line) => (showsAll || counts(line)) && hasFolded(textOf(line), search));
}

export interface MonthOfLines {
  /** "November 2026", or "Not debited yet" */
  name: string;
  cents: Cents;
  lines: Line[];
}

/** Adds up the amounts waiting for a debit. */
export const notDebitedCents = (lines: Line[]): Cents =>
  total(lines.map(({ month, cents }) => (month === undefined ? cents : noCents)));

/**
 * Groups lines by the month of their debit, newest first, after those that wait for one. A month has the sum of its
 * lines' amounts (docs/rules.md#donated-totals).
 */
export function byMonth(lines: Line[]): MonthOfLines[] {
  const months = Map.groupBy(lines, ({ month }) => month);
  const waiting = months.get(undefined);
  const debited = [...months].flatMap(([firstDay, own]) => (firstDay ? [{ firstDay, own }] : []));
  return [
    ...(waiting ? [{ name: 'Not debited yet', cents: notDebitedCents(waiting), lines: waiting }] : []),
    ...debited
      .toSorted((one, other) => other.firstDay.localeCompare(one.firstDay))
      .map(({ firstDay, own }) => ({
        name: periodInWords({ kind: 'month', firstDay }),
        cents: total(own.map(({ givenCents = noCents }) => givenCents)),
        lines: own,
      })),
  ];
}

/** Keeps the first lines; the sums of months stay whole. */
export function firstLines(months: MonthOfLines[], limit: number): MonthOfLines[] {
  let left = limit;
  return months.flatMap((month) => {
    const lines = month.lines.slice(0, Math.max(0, left));
    left -= lines.length;
    return lines.length > 0 ? [{ ...month, lines }] : [];
  });
}
