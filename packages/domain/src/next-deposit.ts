import { bankingDayOnOrAfter } from './banking-calendar.ts';
import { addDays, type IsoDate, monthStart } from './days.ts';
import { lastDayOf, type Month, monthToDeposit } from './savings-month.ts';

export interface NextDeposit {
  date: IsoDate;
  /** The last month whose savings parts are in this deposit. */
  month: Month;
}

/**
 * Returns the next deposit after a day: on the first banking day of a month, for the month before
 * (docs/rules.md#monthly-deposit). On a deposit day its own deposits are under way, so the next is a month later.
 */
export function nextDeposit(day: IsoDate): NextDeposit {
  const thisMonthsDate = bankingDayOnOrAfter(monthStart(day));
  const date = day < thisMonthsDate ? thisMonthsDate : bankingDayOnOrAfter(addDays(lastDayOf(monthStart(day)), 1));
  return { date, month: monthToDeposit(date) };
}
