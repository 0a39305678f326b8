import type { Db, Pool } from '#db/connect.ts';
import { applyDebitOutcome } from '#features/debits/apply-debit-outcome.ts';
import { applyPayoutOutcome, type Change } from '#features/payouts/apply-payout-outcome.ts';
import { remittanceKind } from '#features/remittances/remittance-kind.ts';
import { repaymentKind } from '#features/repayments/repayment-kind.ts';
import { depositKind } from '#features/savings/deposit-kind.ts';
import type { Clock } from '#ports/clock.ts';
import type { Outcome } from '#ports/direct-debit.ts';

export interface OutcomeDeps {
  db: Pool;
  clock: Clock;
}

/**
 * Applies what the provider says of a payment (docs/rules.md#outcomes-move-forward). Late, doubled and reordered news
 * change nothing twice: a payment moves forward only.
 */
export async function applyOutcome({ db, clock }: OutcomeDeps, outcome: Outcome): Promise<Change> {
  if (outcome.state === 'pending') return 'nothing';
  return db.begin(
    async (tx) =>
      (await applyDebitOutcome(tx, clock, outcome)) ??
      (await applyPayoutOutcome(tx, clock, depositKind, outcome)) ??
      (await applyPayoutOutcome(tx, clock, remittanceKind, outcome)) ??
      (await applyPayoutOutcome(tx, clock, repaymentKind, outcome)) ??
      'nothing',
  );
}

/** States that an outcome no longer changes: they only move forward. */
const finalFor: Record<Outcome['state'], readonly string[]> = {
  pending: ['submitted', 'cleared', 'returned', 'reversed'],
  cleared: ['cleared', 'returned', 'reversed'],
  returned: ['returned', 'reversed'],
};

/** Finds outcomes applied before, sparing each of them a lock. */
export async function listApplied(db: Db, outcomes: readonly Outcome[]): Promise<Set<Outcome>> {
  const refs = outcomes.map(({ providerRef }) => providerRef);
  const rows = await db<{ ref: string; state: string }[]>`
    select provider_ref as ref, state::text from debits where provider_ref = any(${refs})
    union all select provider_ref, state::text from deposits where provider_ref = any(${refs})
    union all select provider_ref, state::text from remittances where provider_ref = any(${refs})
    union all select provider_ref, state::text from repayments where provider_ref = any(${refs})`;
  const states = new Map(rows.map(({ ref, state }) => [ref, state]));
  return new Set(
    outcomes.filter(({ providerRef, state }) => finalFor[state].includes(states.get(providerRef) ?? 'unknown')),
  );
}
