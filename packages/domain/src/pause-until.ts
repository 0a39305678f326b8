import { daysBetween, type IsoDate } from './days.ts';

/** The longest pause; who wants longer stops their debits instead. */
const maxPauseDays = 366;

/** Returns whether a pause that begins today may end on that day: from tomorrow on, within a year. */
export function canPauseUntil(until: IsoDate, today: IsoDate): boolean {
  const days = daysBetween(today, until);
  return days >= 1 && days <= maxPauseDays;
}
