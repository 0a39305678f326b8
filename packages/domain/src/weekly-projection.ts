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

export interface ProjectionPeriod {
  from: IsoDate;
  until: IsoDate;
  days: number;
  /** Weeks from Monday to Sunday; null while there is none. */
  wholeWeeks: number | null;
}

/**
 * Returns the whole weeks before today's, or, where there is none, the days up to yesterday; undefined if too few. A part of a
 * week may reach the limit of a whole one, so that weeks which begin or end midway would average more than any week can cost.
 */
export function projectionPeriod(firstDay: IsoDate, today: IsoDate): ProjectionPeriod | undefined {
  const earliest = addDays(today, -projectionDays);
  const first = firstDay > earliest ? firstDay : earliest;
  const days = daysBetween(first, today);
  if (days < fewestDays) return undefined;
  const from = weekStart(addDays(first, 6));
  const wholeWeeks = daysBetween(from, weekStart(today)) / 7;
  if (wholeWeeks < 1) return { from: first, until: addDays(today, -1), days, wholeWeeks: null };
  return { from, until: addDays(weekStart(today), -1), days: wholeWeeks * 7, wholeWeeks };
}

/** Returns the average week, rounded to the nearest 10 cents and never above the limit. */
export function averageWeek(counted: Cents, days: number, limit: WeeklyLimit = 0): Cents {
  const average = Math.round((counted * 7) / days / 10) * 10;
  return cents(limit === 0 ? average : Math.min(average, limit));
}

/** The Monday on which a week's limit starts again. */
export const limitStartsAgainOn = (today: IsoDate): IsoDate => addDays(weekStart(today), 7);

/** Returns a week's remaining limit, never below zero. */
export const leftOfLimit = (used: Cents, limit: WeeklyLimit): Cents => cents(Math.max(0, limit - used));
