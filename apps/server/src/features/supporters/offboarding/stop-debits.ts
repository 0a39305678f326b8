import { randomUUID } from 'node:crypto';
import { appendToAuditLog } from '#audit/audit-log.ts';
import type { Db } from '#db/connect.ts';
import { isOpenPause } from '#features/core/debiting/conditions.ts';
import { getPendingPayments } from '#features/core/ledger/pending-payments.ts';
import { lockAgainstPlanning } from '#features/core/ledger/planning-lock.ts';
import { legsOf, postTransfer } from '#features/core/ledger/post.ts';
import { mailRefusedDonation } from '#features/correspondence/emails/queue-debit-emails.ts';
import { queueEmail } from '#features/correspondence/emails/queue-email.ts';
import { revokeWithdrawn, type WithdrawalDeps, withdrawHere } from '#features/supporters/consents/withdraw-consent.ts';
import { beginOrExtendPause } from '#features/supporters/round-ups/pause-round-ups.ts';
import { type Clock, today } from '#ports/clock.ts';
import { type RefusedDebit, refusePlannedDebits } from './bank-data-repository.ts';
import { type CancelMandateDeps, cancelMandates } from './cancel-mandates.ts';

/**
 * Stops debiting for good: nothing new goes to the provider from that moment, and the mandate is cancelled there. To
 * give again the supporter chooses an account and agrees again (docs/decisions/leaving.md#six-steps). A provider that
 * does not answer is asked again by the daily run; repeating it changes nothing.
 */
export async function stopDebits(deps: CancelMandateDeps, supporterId: string): Promise<void> {
  const { db, clock } = deps;
  await db.begin(async (tx) => {
    const { hasStopped, refused } = await endCollecting(tx, clock, supporterId, 'the supporter stopped debits');
    if (!hasStopped) return;
    const at = clock.now();
    await mailRefusedDonations(tx, at, supporterId, refused);
    await appendToAuditLog(tx, { supporterId, at, actor: 'supporter', action: 'stopped debits' });
    const { debits, donations, deposits, refunds, setAsideCents } = await getPendingPayments(tx, supporterId);
    const facts = { kind: 'debits_stopped', debits, donations, deposits, refunds, setAsideCents } as const;
    await queueEmail(tx, { supporterId, key: `debits stopped ${randomUUID()}`, facts, at });
  });
  await cancelMandates(deps, supporterId);
}

interface EndOfCollecting {
  /** False if there was nothing left to stop. */
  hasStopped: boolean;
  refused: RefusedDebit[];
}

/** Ends recording and debiting: pauses, leaves no funding account and refuses planned debits. */
export async function endCollecting(tx: Db, clock: Clock, supporterId: string, why: string): Promise<EndOfCollecting> {
  await lockAgainstPlanning(tx);
  await tx`select from supporters where supporter_id = ${supporterId} for no key update`; // before accounts, as in choosing one
  await beginOrExtendPause(tx, clock, supporterId, 'supporter');
  await tx`update pauses set until = null where supporter_id = ${supporterId} and ${isOpenPause(tx)}`; // without end
  const refused = await refusePlanned(tx, clock, supporterId, why);
  const unfunded = await tx`update accounts set is_funding = false where supporter_id = ${supporterId} and is_funding`;
  return { hasStopped: refused.length + unfunded.count > 0, refused };
}

/** Refuses planned, unsubmitted debits, and ends the promise of one-off donations. Returns the refused ones. */
export async function refusePlanned(
  tx: Db,
  clock: Clock,
  supporterId: string,
  why: string,
  kinds?: RefusedDebit['kind'][],
): Promise<RefusedDebit[]> {
  const refused = await refusePlannedDebits(tx, supporterId, clock.now(), why, kinds);
  for (const debit of refused) {
    const { id: source, clubId } = debit;
    const transfer = { supporterId, kind: 'refused', source, clubId, bookedOn: today(clock) } as const;
    await postTransfer(tx, { ...transfer, legs: legsOf.refused(debit) });
  }
  return refused;
}

/** Emails donors that planned one-off donations will not go through. */
export async function mailRefusedDonations(
  tx: Db,
  at: Date,
  supporterId: string,
  refused: RefusedDebit[],
): Promise<void> {
  for (const debit of refused)
    if (debit.kind === 'donation') await mailRefusedDonation(tx, at, { supporterId, ...debit });
}

/**
 * Withdraws the consent of a supporter who leaves, here immediately and then at the provider. Returns how many were
 * revoked there. Throws if the provider does not answer; the daily run asks it again.
 */
export async function withdrawForGood(deps: WithdrawalDeps, supporterId: string, askedBy: string): Promise<number> {
  await deps.db.begin((tx) => withdrawAndCallOff(tx, deps.clock, supporterId, askedBy));
  return revokeWithdrawn(deps, supporterId);
}

/**
 * Withdraws the consent here, and cancels one-off donations that have not gone to the bank: they are reported as not
 * taken, and the consent may be given again before the bank data is deleted.
 */
export async function withdrawAndCallOff(tx: Db, clock: Clock, supporterId: string, askedBy: string): Promise<void> {
  await tx`select from supporters where supporter_id = ${supporterId} for no key update`; // a donation is planned before or after
  const refused = await refusePlanned(tx, clock, supporterId, 'the consent was withdrawn', ['donation']);
  await mailRefusedDonations(tx, clock.now(), supporterId, refused);
  await withdrawHere(tx, clock, supporterId, askedBy);
}
