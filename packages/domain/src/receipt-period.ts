import { type IsoDate, monthStart } from './days.ts';
import { lastDayOf, type Month } from './savings-month.ts';

/** A receipt's period: a calendar month or a financial year. */
export interface ReceiptPeriod {
  kind: 'month' | 'year';
  firstDay: IsoDate;
}

/** Returns the 1 July that begins a day's financial year. */
export function financialYearStart(day: IsoDate): IsoDate {
  const year = Number(day.slice(0, 4));
  return `${day.slice(5) >= '07-01' ? year : year - 1}-07-01` as IsoDate;
}

/** Returns a period's last day: a month's, or 30 June. */
export function lastDayOfPeriod({ kind, firstDay }: ReceiptPeriod): IsoDate {
  return kind === 'month' ? lastDayOf(firstDay) : (`${Number(firstDay.slice(0, 4)) + 1}-06-30` as IsoDate);
}

export function periodOf(kind: ReceiptPeriod['kind'], day: IsoDate): ReceiptPeriod {
  return { kind, firstDay: kind === 'month' ? monthStart(day) : financialYearStart(day) };
}

/**
 * Returns the periods with a document, newest first: each month and financial year in which something cleared or was
 * taken back, once all its days are closed.
 */
export function receiptPeriods(months: readonly Month[], closedUntil: IsoDate | undefined): ReceiptPeriod[] {
  const periods: ReceiptPeriod[] = [
    ...[...new Set(months.map(financialYearStart))].map((firstDay) => ({ kind: 'year', firstDay }) as const),
    ...[...new Set(months)].map((firstDay) => ({ kind: 'month', firstDay }) as const),
  ];
  return periods
    .filter((period) => closedUntil !== undefined && lastDayOfPeriod(period) <= closedUntil)
    .sort((one, other) => {
      const [first, second] = [lastDayOfPeriod(one), lastDayOfPeriod(other)];
      if (first !== second) return first < second ? 1 : -1;
      return one.kind === 'year' ? -1 : 1;
    });
}

const months = 'January February March April May June July August September October November December'.split(' ');

/** "21 November 2026" */
export function fullDay(day: IsoDate): string {
  return `${Number(day.slice(8))} ${months[Number(day.slice(5, 7)) - 1]} ${day.slice(0, 4)}`;
}

/** "November 2026"; "1 July 2026 to 30 June 2027" */
export function periodInWords(period: ReceiptPeriod): string {
  const { kind, firstDay } = period;
  if (kind === 'month') return fullDay(firstDay).slice(2);
  return `${fullDay(firstDay)} to ${fullDay(lastDayOfPeriod(period))}`;
}
