import { addDays, daysBetween, type IsoDate, weekStart } from './days.ts';
import { add, type Cents, cents, noCents } from './money.ts';
import { type RoundUpStep, roundUp } from './round-up.ts';
import { countedWithinLimit, type WeeklyLimit } from './weekly-limit.ts';

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

/**
 * Returns the average week with another step and limit: the purchases of so many days, rounded and cut in posted order,
 * to the nearest 10 cents.
 */
export function averageWeek(
  purchases: readonly PastPurchase[],
  days: number,
  step: RoundUpStep,
  limit: WeeklyLimit,
): Cents {
  return cents(Math.round((spareChange(purchases, step, limit) * 7) / days / 10) * 10);
}

/** Returns the counted spare change of purchases in posted order, each week cut at the limit. */
export function spareChange(purchases: readonly PastPurchase[], step: RoundUpStep, limit: WeeklyLimit): Cents {
  const weeks = new Map<IsoDate, Cents>();
  for (const { day, amount } of purchases) {
    const week = weekStart(day);
    const used = weeks.get(week) ?? noCents;
    weeks.set(week, add(used, countedWithinLimit(roundUp(amount, step), used, limit)));
  }
  return cents([...weeks.values()].reduce((sum, week) => sum + week, 0));
}

/** The Monday on which a week's limit starts again. */
export const limitStartsAgainOn = (today: IsoDate): IsoDate => addDays(weekStart(today), 7);

/** Returns the rest of a week's limit, never less than nothing. */
export const leftOfLimit = (used: Cents, limit: WeeklyLimit): Cents => cents(Math.max(0, limit - used));
