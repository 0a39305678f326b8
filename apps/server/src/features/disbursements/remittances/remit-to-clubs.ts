import { addDays, type Cents, type IsoDate } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import { Conflict } from '#errors.ts';
import type { PayoutDeps } from '#features/core/payouts/payout-kind.ts';
import { resubmitPayouts, submitPayouts } from '#features/core/payouts/submit-payouts.ts';
import { throwIfStopped } from '#features/core/submission/submit-payments.ts';
import { makeAdvices } from '#features/disbursements/remittance-advice/make-advice.ts';
import { type Clock, today } from '#ports/clock.ts';
import { closeAndRollUp } from './close-and-roll-up.ts';
import { type Kept, planRemittances } from './plan-remittances.ts';
import { type Remittance, remittanceKind } from './remittance-kind.ts';

export interface RemitRun {
  /** Clubs that are paid, each counted once. */
  clubs: number;
  totalCents: Cents;
  /** Amounts that stay in a club's balance, with reasons. */
  kept: Kept[];
  /** Remittances the provider refused; they stay in clubs' balances. */
  refused: { id: string; cents: Cents; reason: string }[];
  /** Without a conclusive answer: retried separately. */
  unknown: number;
}

/**
 * Pays each club the amounts cleared up to the day before and not yet remitted (docs/rules.md#remittance). Repeating it
 * adds nothing.
 */
export async function remitToClubs(deps: PayoutDeps, date: IsoDate = today(deps.clock)): Promise<RemitRun> {
  if (date > today(deps.clock)) {
    throw new Conflict(`${date} is still to come; the day before it has not ended.`);
  }
  await closeAndRollUp(deps.db, addDays(date, -1), deps.clock.now());
  const kept = await planRemittances(deps.db, deps.clock, date);
  const paid = new Set<string>();
  const afterAccepted = async (_tx: Db, _clock: Clock, { clubId }: Remittance) => void paid.add(clubId);
  const report = await submitPayouts(deps, { ...remittanceKind, afterAccepted });
  await makeAdvices(deps);
  throwIfStopped(report, 'remittances');
  const { totalCents, refused, unknown } = report;
  return { clubs: paid.size, totalCents, kept, refused, unknown };
}

/** Retries remittances without a conclusive answer. */
export async function resubmitRemittances(deps: PayoutDeps): Promise<void> {
  const { submitted } = await resubmitPayouts(deps, remittanceKind);
  if (submitted > 0) await makeAdvices(deps);
}
