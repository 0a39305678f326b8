import type { IsoDate } from '../days.ts';
import { add, type Cents, cents, noCents, subtract, total } from '../money.ts';
import type { RoundUpStep } from '../round-up.ts';
import type { WeeklyLimit } from '../weekly-limit.ts';
import type { PastPurchase } from '../weekly-projection.ts';
import { weekOf } from './weeks.ts';

/** Returns spare change, none for multiples of the step (docs/rules.md#spare-change). */
export function roundUp(purchase: Cents, step: RoundUpStep): Cents {
  const over = purchase % step;
  return cents(over === 0 ? 0 : step - over);
}

/**
 * Returns the part of a round-up that counts when `used` cents of its week already do: it is cut where it crosses the
 * limit, later ones count 0, the excess is dropped (docs/rules.md#weekly-limit).
 */
export function countedWithinLimit(raw: Cents, used: Cents, limit: WeeklyLimit): Cents {
  if (limit === 0) return raw;
  return cents(Math.max(0, Math.min(raw, limit - used)));
}

/** Returns purchases' spare change in posted order, limited each week. */
export function spareChange(purchases: readonly PastPurchase[], step: RoundUpStep, limit: WeeklyLimit): Cents {
  const weeks = new Map<IsoDate, Cents>();
  for (const { day, amount } of purchases) {
    const week = weekOf(day);
    const used = weeks.get(week) ?? noCents;
    weeks.set(week, add(used, countedWithinLimit(roundUp(amount, step), used, limit)));
  }
  return total(weeks.values());
}

/** Gives savings half a debit; rounding favours the club (docs/rules.md#savings-half). */
export function shareBetween(debit: Cents, savingsOn: boolean): { club: Cents; savings: Cents } {
  const savings = savingsOn ? cents(Math.floor(debit / 2)) : noCents;
  return { club: subtract(debit, savings), savings };
}
