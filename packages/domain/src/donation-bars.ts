import { addDays, isoDate, monthYear } from './days.ts';
import { type Cents, noCents } from './money.ts';
import { lastDayOf, type Month } from './savings-month.ts';

export interface MonthGiven {
  month: Month;
  cents: Cents;
}

export interface MonthBar extends MonthGiven {
  /** The bar's length, 0 to 1 for the largest month. */
  share: number;
}

/** The most months that the picture shows. */
export const maxBars = 12;

const monthAfter = (month: Month): Month => addDays(lastDayOf(month), 1);

/**
 * The newest months as bars, newest first, each a month apart: one in which nothing was given has an empty bar, so that
 * as much room is as much time. There is none from before the first gift. Each month comes at most once.
 */
export function donationBars(given: MonthGiven[]): MonthBar[] {
  const [oldest, ...later] = given.toSorted((one, other) => (one.month < other.month ? -1 : 1));
  if (!oldest) return [];
  const newest = later.at(-1) ?? oldest;
  const bars: MonthGiven[] = [];
  for (let { month } = oldest; month <= newest.month; month = monthAfter(month)) {
    bars.unshift(given.find((each) => each.month === month) ?? { month, cents: noCents });
  }
  const shown = bars.slice(0, maxBars);
  const most = Math.max(1, ...shown.map((bar) => bar.cents));
  return shown.map((bar) => ({ ...bar, share: bar.cents / most }));
}

const monthNumbers = ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12'];

/** The month that is written "Nov-26", of this century. */
export function parseMonthYear(text: string): Month | undefined {
  if (!/-\d\d$/.test(text)) return undefined;
  const months = monthNumbers.map((number) => isoDate(`20${text.slice(-2)}-${number}-01`));
  return months.find((month) => monthYear(month) === text);
}
