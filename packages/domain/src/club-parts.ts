import { apportion } from './apportion.ts';
import { type Cents, noCents, subtract } from './money.ts';

export interface SplitDebit {
  savingsCents: Cents;
  /** The club's part that was refunded since. */
  repaidCents: Cents;
}

/**
 * Shares what the club keeps of a debit out over the lines it is made of, so that they add up to it. The lines must add up
 * to the debit (docs/rules.md#donated-totals).
 */
export function clubParts({ savingsCents, repaidCents }: SplitDebit, lines: readonly Cents[]): Cents[] {
  const given = takeOff(lines, savingsCents);
  return takeOff(given, repaidCents);
}

function takeOff(lines: readonly Cents[], amount: Cents): Cents[] {
  if (amount === 0) return [...lines];
  const shares = apportion(amount, lines);
  return lines.map((line, place) => subtract(line, shares[place] ?? noCents));
}
