import { easter } from 'date-easter';
import { addDays, type IsoDate, isoDate, weekday } from './days.ts';

/** Returns the first weekday on or after a day, on which its holiday is observed. */
function observed(day: IsoDate): IsoDate {
  let on = day;
  while (weekday(on) > 5) on = addDays(on, 1);
  return on;
}

/** Returns the Monday that New South Wales and Victoria keep: June's second. */
function kingsBirthday(year: string): IsoDate {
  let day = isoDate(`${year}-06-08`);
  while (weekday(day) !== 1) day = addDays(day, 1);
  return day;
}

/**
 * Returns the weekdays of a year that are public holidays in all of Australia, and the King's Birthday, in order. A holiday
 * on a weekend is observed on the next weekday, except Anzac Day (Public Holidays Act 2010, NSW).
 */
export function publicHolidays(year: string): IsoDate[] {
  const { month, day } = easter(Number(year));
  const sunday = isoDate(`${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`);
  const christmas = observed(isoDate(`${year}-12-25`));
  const boxing = observed(isoDate(`${year}-12-26`));
  const days = [
    observed(isoDate(`${year}-01-01`)),
    observed(isoDate(`${year}-01-26`)),
    addDays(sunday, -2),
    addDays(sunday, 1),
    isoDate(`${year}-04-25`),
    kingsBirthday(year),
    christmas,
    boxing === christmas ? addDays(boxing, 1) : boxing,
  ];
  return [...new Set(days.filter((each) => weekday(each) <= 5))].sort();
}
