import { add, type Cents, subtract } from '@sparechange/domain';
import { appendToAuditLog } from '#audit/audit-log.ts';
import type { Db, Pool } from '#db/connect.ts';
import { lockAgainstPlanning } from '#features/core/ledger/planning-lock.ts';
import { legsOf, postTransfer } from '#features/core/ledger/post.ts';
import { queueEmail } from '#features/correspondence/emails/queue-email.ts';
import { type Clock, today } from '#ports/clock.ts';
import type { DirectDebit } from '#ports/direct-debit.ts';
import {
  deleteAccounts,
  deleteOtherLines,
  deleteRoundUps,
  dropFailedDebits,
  lockEndedConsent,
  saveDeletion,
  sumUnderWay,
} from './bank-data-repository.ts';
import { cancelMandates } from './cancel-mandates.ts';
import { mailRefusedDonations, refusePlanned, withdrawAndCallOff } from './stop-debits.ts';

export interface DeletionDeps {
  db: Pool;
  clock: Clock;
  directDebit: DirectDebit;
}

export type Deletion =
  | { result: 'deleted'; accounts: number; roundUps: number; droppedCents: Cents }
  | { result: 'nothing to delete' }
  | { result: 'in use' }
  | { result: 'debits under way'; debits: number; totalCents: Cents }
  | { result: 'refunds under way'; refunds: number; totalCents: Cents };

/**
 * Deletes a supporter's data from their bank: accounts, and purchases with their descriptions and spare change. Amounts
 * promised and never collected are dropped with them; debits and donations stay. A record gives the subject, amounts,
 * time and reason, and carries the sums by which the books are still checked (docs/rules.md#deletion-of-bank-data).
 * Mandates are cancelled after it, by the daily run if the provider does not answer.
 */
export async function deleteBankData(deps: DeletionDeps, supporterId: string, askedBy: string): Promise<Deletion> {
  const before = await findUnderWay(deps.db, supporterId);
  if (before) return before;
  const [consent] = await deps.db`select 1 from supporters where supporter_id = ${supporterId} and not consent_active`;
  if (!consent) return { result: 'in use' };
  const deletion = await deps.db.begin((tx) => deleteInside(tx, deps.clock, supporterId, askedBy));
  if (deletion.result !== 'deleted' && deletion.result !== 'nothing to delete') return deletion;
  // After the deletion, as a consent given again in between needs its mandate. The provider has the account numbers
  // too.
  await cancelMandates(deps, supporterId, { unlessFunding: true });
  return deletion;
}

/** Finds payments that need the bank data; undefined if none. */
async function findUnderWay(db: Db, supporterId: string): Promise<Deletion | undefined> {
  const debits = await sumUnderWay(db, supporterId, 'debits');
  if (debits.count > 0) return { result: 'debits under way', debits: debits.count, totalCents: debits.totalCents };
  const refunds = await sumUnderWay(db, supporterId, 'repayments');
  if (refunds.count === 0) return undefined;
  return { result: 'refunds under way', refunds: refunds.count, totalCents: refunds.totalCents };
}

async function deleteInside(tx: Db, clock: Clock, supporterId: string, askedBy: string): Promise<Deletion> {
  await lockAgainstPlanning(tx);
  const day = today(clock);
  const consent = await lockEndedConsent(tx, supporterId, day);
  if (!consent) return { result: 'in use' };
  const open = await findUnderWay(tx, supporterId);
  if (open) return open;
  const refused = await refusePlanned(tx, clock, supporterId, 'the data from the bank were deleted');
  if (!consent.isClosed) await mailRefusedDonations(tx, clock.now(), supporterId, refused);
  const failedCents = await dropFailedDebits(tx, supporterId, day);
  const accounts = await deleteAccounts(tx, supporterId);
  await deleteOtherLines(tx, supporterId);
  const roundUps = await deleteRoundUps(tx, supporterId);
  if (accounts === 0 && roundUps.count === 0 && failedCents === 0) return { result: 'nothing to delete' };
  const { countedCents, debitedCents, droppedBeforeCents } = roundUps;
  const droppedCents = subtract(add(countedCents, failedCents), add(debitedCents, droppedBeforeCents));
  const { end, endedOn, clubId } = consent;
  const deletion = { supporterId, day, at: clock.now(), askedBy, end, endedOn, accounts, droppedCents, roundUps };
  const id = await saveDeletion(tx, deletion);
  const transfer = {
    supporterId,
    kind: 'dropped',
    source: id,
    clubId,
    bookedOn: day,
  } as const;
  await postTransfer(tx, { ...transfer, legs: legsOf.dropped(droppedCents) });
  const details = { because: end, accounts, roundUps: roundUps.count, droppedCents };
  await appendToAuditLog(tx, { supporterId, at: clock.now(), actor: askedBy, action: 'deleted bank data', details });
  if (!consent.isClosed) {
    const facts = { kind: 'bank_data_deleted', accounts, roundUps: roundUps.count, droppedCents } as const;
    await queueEmail(tx, { supporterId, key: `bank data deleted ${id}`, facts, at: clock.now() });
  }
  return { result: 'deleted', accounts, roundUps: roundUps.count, droppedCents };
}

/**
 * Deletes the bank data of a supporter at their request. Their consent ends with it; an expired one counts as withdrawn
 * from now on, so that its days of grace are over and data that has to wait for a debit is deleted after it. Revoking
 * at the provider is left to the caller, or else to the daily run.
 */
export async function askForDeletion(deps: DeletionDeps, supporterId: string, askedBy: string): Promise<Deletion> {
  const { db, clock } = deps;
  await db.begin(async (tx) => {
    await withdrawAndCallOff(tx, clock, supporterId, askedBy);
    await tx`
      update supporters set consent_end = 'withdrawn', consent_ended_on = coalesce(consent_ended_on, ${today(clock)})
      where supporter_id = ${supporterId} and not consent_active and consent_end is distinct from 'withdrawn'`;
  });
  return deleteBankData(deps, supporterId, askedBy);
}
