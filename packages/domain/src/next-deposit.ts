import { bankingDayOnOrAfter } from './banking-calendar.ts';
import { addDays, type IsoDate, monthStart } from './days.ts';
import { lastDayOf, type Month, monthToDeposit } from './savings-month.ts';

export interface NextDeposit {
  date: IsoDate;
  /** The last month whose set-aside this deposit includes. */
  month: Month;
}

/**
 * The next day of deposits after a day: the first banking day of a month, for the month before (docs/rules.md#monthly-deposit). On such a
 * day its own deposits are under way, so the next ones are a month later.
 */
export function nextDeposit(day: IsoDate): NextDeposit {
  const ofThisMonth = bankingDayOnOrAfter(monthStart(day));
  const date = day < ofThisMonth ? ofThisMonth : bankingDayOnOrAfter(addDays(lastDayOf(monthStart(day)), 1));
  return { date, month: monthToDeposit(date) };
}
