import { addDays, daysBetween, type IsoDate, weekStart } from './days.ts';
import { type Cents, cents } from './money.ts';
import type { WeeklyLimit } from './weekly-limit.ts';

/** Days looked back on; for a supporter who began later, those since. */
const outlookDays = 90;

/** With less than a week there is nothing to say of a week. */
const fewestDays = 7;

export interface PastPurchase {
  day: IsoDate;
  amount: Cents;
}

/** The days up to yesterday that are looked back on; undefined where they are too few. */
export function outlookPeriod(firstDay: IsoDate, today: IsoDate): { from: IsoDate; days: number } | undefined {
  const earliest = addDays(today, -outlookDays);
  const from = firstDay > earliest ? firstDay : earliest;
  const days = daysBetween(from, today);
  return days < fewestDays ? undefined : { from, days };
}

/** Returns a week's average of what counted in so many days, to the nearest 10 cents. */
export const averageWeek = (counted: Cents, days: number): Cents => cents(Math.round((counted * 7) / days / 10) * 10);

/** The Monday on which a week's limit starts again. */
export const limitStartsAgainOn = (today: IsoDate): IsoDate => addDays(weekStart(today), 7);

/** Returns the rest of a week's limit, never less than nothing. */
export const leftOfLimit = (used: Cents, limit: WeeklyLimit): Cents => cents(Math.max(0, limit - used));
