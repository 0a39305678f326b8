import type { Db } from '#db/connect.ts';
import { revokeWithdrawn, type WithdrawalDeps, withdrawHere } from '#features/consents/withdraw-consent.ts';
import type { Clock } from '#ports/clock.ts';
import { mailRefusedDonations, refusePlanned } from './stop-debits.ts';

/**
 * Withdraws the consent of a supporter who leaves, here at once and then at the provider. Returns how many were revoked
 * there. Throws if the provider does not answer; the daily run asks it again.
 */
export async function withdrawForGood(deps: WithdrawalDeps, supporterId: string, askedBy: string): Promise<number> {
  await deps.db.begin((tx) => withdrawAndCallOff(tx, deps.clock, supporterId, askedBy));
  return revokeWithdrawn(deps, supporterId);
}

/**
 * Withdraws the consent here, and calls off one-off donations that have not gone to the bank: they are said not to be taken,
 * and the consent may be given again before the bank data are deleted.
 */
export async function withdrawAndCallOff(tx: Db, clock: Clock, supporterId: string, askedBy: string): Promise<void> {
  await tx`select from supporters where supporter_id = ${supporterId} for no key update`; // a donation is planned before or after
  const refused = await refusePlanned(tx, clock, supporterId, 'the consent was withdrawn', ['donation']);
  await mailRefusedDonations(tx, clock.now(), supporterId, refused);
  await withdrawHere(tx, clock, supporterId, askedBy);
}
