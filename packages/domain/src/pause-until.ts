import { daysBetween, type IsoDate } from './days.ts';

/** The longest pause in days; for longer one stops. */
const maxDays = 366;

/** Returns whether a pause that begins today may end on that day: from tomorrow on, within a year. */
export function canPauseUntil(until: IsoDate, today: IsoDate): boolean {
  const days = daysBetween(today, until);
  return days >= 1 && days <= maxDays;
}
