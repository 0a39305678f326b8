import { addDays, type IsoDate, sydneyDay, sydneyTime, weekday } from './days.ts';
import { publicHolidays } from './public-holidays.ts';

export { lastSettlementYear } from './settlement-holidays.ts';

import { firstSettlementYear, lastSettlementYear, settlementHolidays } from './settlement-holidays.ts';

const holidaysByYear = new Map<string, Set<string>>();

function holidaysOf(year: string): Set<string> {
  const known = holidaysByYear.get(year);
  if (known) return known;
  const isListed = year >= firstSettlementYear && year <= lastSettlementYear;
  const days = new Set(isListed ? settlementHolidays : publicHolidays(year));
  holidaysByYear.set(year, days);
  return days;
}

let extraClosedDays: ReadonlySet<string> = new Set();

/** Takes over the days that an operator has declared closed, in place of those before; every function here uses them. */
export function setExtraClosedDays(days: readonly IsoDate[]): void {
  extraClosedDays = new Set(days);
}

/** Returns whether the RBA settles, extra closed days left aside. */
export const isListedBankingDay = (day: IsoDate): boolean => weekday(day) <= 5 && !holidaysOf(day.slice(0, 4)).has(day);

/** Returns whether banks settle: not at weekends, nor while the RBA's settlement system is closed, nor where an operator declared it. */
export const isBankingDay = (day: IsoDate): boolean => isListedBankingDay(day) && !extraClosedDays.has(day);

/** Returns whether the list of holidays ends within a year. */
export const calendarEndsSoon = (day: IsoDate): boolean => addDays(day, 365).slice(0, 4) > lastSettlementYear;

export function nextBankingDay(day: IsoDate): IsoDate {
  let next = addDays(day, 1);
  while (!isBankingDay(next)) next = addDays(next, 1);
  return next;
}

export function previousBankingDay(day: IsoDate): IsoDate {
  let previous = addDays(day, -1);
  while (!isBankingDay(previous)) previous = addDays(previous, -1);
  return previous;
}

/** Returns this day or the next on which banks work. */
export function bankingDayOnOrAfter(day: IsoDate): IsoDate {
  return isBankingDay(day) ? day : nextBankingDay(day);
}

const debitWeekdays = [1, 3, 5];

/**
 * Returns whether a debit run takes place: Monday, Wednesday and Friday, and the next banking day for one of these that
 * is a holiday (docs/rules.md#debit-days).
 */
export function isDebitDay(day: IsoDate): boolean {
  if (!isBankingDay(day)) return false;
  let earlier = day;
  do {
    if (debitWeekdays.includes(weekday(earlier))) return true;
    earlier = addDays(earlier, -1);
  } while (!isBankingDay(earlier));
  return false;
}

/** The first debit day after the given one. */
export function nextDebitDay(after: IsoDate): IsoDate {
  let day = addDays(after, 1);
  while (!isDebitDay(day)) day = addDays(day, 1);
  return day;
}

/** The Sydney time at which a debit run takes place. */
export const debitRunTime = '06:00';

/** Until then a run asks again about balances that the bank link gave no answer about. */
export const balancesAskedUntil = '09:00';

/** The debit day of the next run: today until 06:00 on a debit day, else the first one to come. */
export function upcomingDebitDay(now: Date): IsoDate {
  const day = sydneyDay(now);
  return isDebitDay(day) && now < sydneyTime(day, debitRunTime) ? day : nextDebitDay(day);
}
