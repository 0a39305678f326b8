import { withdrawHere } from '#features/consents/withdraw-consent.ts';
import { today } from '#ports/clock.ts';
import { type Deletion, type DeletionDeps, deleteBankData } from './delete-bank-data.ts';

/**
 * Deletes the bank data of a supporter who asked for it. Their consent ends with it; one that had expired counts as
 * withdrawn from now on, so that its days of grace are over and what has to wait for a debit is deleted after it. It is
 * left to the caller, and else to the daily run, to revoke it at the provider.
 */
export async function askForDeletion(deps: DeletionDeps, supporterId: string, askedBy: string): Promise<Deletion> {
  const { db, clock } = deps;
  await db.begin(async (tx) => {
    await withdrawHere(tx, clock, supporterId, askedBy);
    await tx`
      update supporters set consent_end = 'withdrawn', consent_ended_on = coalesce(consent_ended_on, ${today(clock)})
      where supporter_id = ${supporterId} and not consent_active and consent_end is distinct from 'withdrawn'`;
  });
  return deleteBankData(deps, supporterId, askedBy);
}
