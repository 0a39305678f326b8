import { type Cents, cents } from './money.ts';

export const roundUpSteps = [100, 200, 500] as const;

/** To the nearest $1, $2 or $5, in cents. */
export type RoundUpStep = (typeof roundUpSteps)[number];

/** The spare change of a purchase. A purchase already on the step gives nothing (docs/rules.md#spare-change). */
export function roundUp(purchase: Cents, step: RoundUpStep): Cents {
  const over = purchase % step;
  return cents(over === 0 ? 0 : step - over);
}
