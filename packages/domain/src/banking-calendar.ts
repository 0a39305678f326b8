import Holidays from 'date-holidays';
import { addDays, type IsoDate, sydneyDay, sydneyTime, weekday } from './days.ts';

const australia = new Holidays('AU');
const holidaysByYear = new Map<string, Set<string>>();

/** The national public holidays of a year, the substitute days of weekend ones included. */
function nationalHolidays(year: string): Set<string> {
  const known = holidaysByYear.get(year);
  if (known) return known;
  const days = new Set(
    australia
      .getHolidays(Number(year))
      .filter((holiday) => holiday.type === 'public')
      .map((holiday) => holiday.date.slice(0, 10)),
  );
  holidaysByYear.set(year, days);
  return days;
}

/** Neither a weekend nor a national public holiday; state holidays are banking days (facts/payments.md 1.7). */
export function isBankingDay(day: IsoDate): boolean {
  return weekday(day) <= 5 && !nationalHolidays(day.slice(0, 4)).has(day);
}

export function nextBankingDay(day: IsoDate): IsoDate {
  let next = addDays(day, 1);
  while (!isBankingDay(next)) next = addDays(next, 1);
  return next;
}

/** The day itself when banks work on it, else the next one on which they do. */
export function bankingDayOnOrAfter(day: IsoDate): IsoDate {
  return isBankingDay(day) ? day : nextBankingDay(day);
}

const debitWeekdays = [1, 3, 5];

/**
 * Whether a debit run takes place: Monday, Wednesday and Friday, and for one of these that is a national public
 * holiday the next banking day, merged with that day's own run (design 7.5).
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

/** The Sydney time at which a debit run takes place (design 7.5). */
export const debitRunTime = '06:00';

/** The debit day of the next run: today until 06:00 on a debit day, else the first one to come. */
export function upcomingDebitDay(now: Date): IsoDate {
  const day = sydneyDay(now);
  return isDebitDay(day) && now < sydneyTime(day, debitRunTime) ? day : nextDebitDay(day);
}
