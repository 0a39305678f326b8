import { type Cents, cents } from './money.ts';

/** The weekly limits to choose from, in cents; 0 is off. */
export const weeklyLimits = [0, 750, 1000, 1250] as const;
export type WeeklyLimit = (typeof weeklyLimits)[number];

/**
 * Returns the part of a round-up that counts when `used` cents of its week already do: the one that crosses the limit
 * is cut, later ones count 0, the excess is dropped (docs/rules.md#weekly-limit).
 */
export function countedWithinLimit(raw: Cents, used: Cents, limit: WeeklyLimit): Cents {
  if (limit === 0) return raw;
  return cents(Math.max(0, Math.min(raw, limit - used)));
}
