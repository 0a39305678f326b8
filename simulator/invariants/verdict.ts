interface Violation {
  day: string;
  what: string;
}

/** After this many days somebody has been debited, with any seed: there are at least six debit days among them. */
export const minDaysWithDebits = 15;

/** Returns what a run found wrong; one without a single debit has tried nothing, and is wrong as well. */
export function violationsOf({
  days,
  debits,
  violations,
}: {
  days: number;
  debits: number;
  violations: readonly Violation[];
}): readonly Violation[] {
  if (violations.length > 0 || debits > 0 || days < minDaysWithDebits) return violations;
  return [{ day: 'the last day', what: `${days} days ended without a debit, so nothing was tried` }];
}
