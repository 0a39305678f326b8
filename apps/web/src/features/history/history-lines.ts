import type { RoundUpHistoryItem } from '@sparechange/contract';
import {
  type Cents,
  formatCents,
  type IsoDate,
  isoDate,
  merchantName,
  monthStart,
  noCents,
  parseDollars,
  periodInWords,
  total,
} from '@sparechange/domain';
import { itemsNewestFirst } from './newest-first.ts';

export interface LineChoice {
  search: string;
  /** Also lines that gave nothing. */
  showsAll: boolean;
}

const counts = ({ debitAmountCents, why }: RoundUpHistoryItem): boolean =>
  debitAmountCents !== 0 || why === 'waiting for your bank';

/** Lists the lines that are asked for, newest first. */
export function chooseLines(items: RoundUpHistoryItem[], { search, showsAll }: LineChoice): RoundUpHistoryItem[] {
  const wanted = search.trim().toLowerCase();
  const textOf = ({ description, amount }: RoundUpHistoryItem) =>
    `${merchantName(description)} ${description} $${amount} ${formatCents(parseDollars(amount) ?? noCents)}`;
  const isFound = (item: RoundUpHistoryItem) => wanted === '' || textOf(item).toLowerCase().includes(wanted);
  return itemsNewestFirst(items.filter((item) => (showsAll || counts(item)) && isFound(item)));
}

export interface MonthOfLines {
  /** "November 2026" */
  name: string;
  cents: Cents;
  items: RoundUpHistoryItem[];
}

/** Groups lines by month in their order, each month with the sum of what counted. */
export function byMonth(items: RoundUpHistoryItem[]): MonthOfLines[] {
  const months = new Map<IsoDate, RoundUpHistoryItem[]>();
  for (const item of items) {
    const month = monthStart(isoDate(item.createdDate));
    const lines = months.get(month);
    if (lines) lines.push(item);
    else months.set(month, [item]);
  }
  return [...months].map(([firstDay, lines]) => ({
    name: periodInWords({ kind: 'month', firstDay }),
    cents: total(lines.map(({ debitAmountCents }) => debitAmountCents)),
    items: lines,
  }));
}

/** Keeps the first lines; the sums of months stay whole. */
export function firstLines(months: MonthOfLines[], limit: number): MonthOfLines[] {
  let left = limit;
  return months.flatMap((month) => {
    const items = month.items.slice(0, Math.max(0, left));
    left -= items.length;
    return items.length > 0 ? [{ ...month, items }] : [];
  });
}
