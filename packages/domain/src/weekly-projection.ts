import { addDays, daysBetween, type IsoDate, weekStart } from './days.ts';
import { type Cents, cents } from './money.ts';
import type { WeeklyLimit } from './weekly-limit.ts';

/** Days looked back on, or fewer for a newer supporter. */
const projectionDays = 90;

/** Fewer days say nothing about a week. */
const fewestDays = 7;

export interface PastPurchase {
  day: IsoDate;
  amount: Cents;
}

/** Returns the days up to yesterday; undefined if too few. */
export function projectionPeriod(firstDay: IsoDate, today: IsoDate): { from: IsoDate; days: number } | undefined {
  const earliest = addDays(today, -projectionDays);
  const from = firstDay > earliest ? firstDay : earliest;
  const days = daysBetween(from, today);
  return days < fewestDays ? undefined : { from, days };
}

/** Returns the average week, rounded to the nearest 10 cents. */
export const averageWeek = (counted: Cents, days: number): Cents => cents(Math.round((counted * 7) / days / 10) * 10);

/** The Monday on which a week's limit starts again. */
export const limitStartsAgainOn = (today: IsoDate): IsoDate => addDays(weekStart(today), 7);

/** Returns a week's remaining limit, never below zero. */
export const leftOfLimit = (used: Cents, limit: WeeklyLimit): Cents => cents(Math.max(0, limit - used));
