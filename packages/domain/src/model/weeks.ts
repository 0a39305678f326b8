import { type IsoDate, isoDate } from '../days.ts';

/** Returns the Monday of a day's week. */
export function weekOf(day: IsoDate): IsoDate {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  return isoDate(date.toISOString().slice(0, 10));
}

/** Returns the whole days from one day to a later one, negative to an earlier one. */
export const daysFrom = (one: IsoDate, other: IsoDate): number => (Date.parse(other) - Date.parse(one)) / 86_400_000;
