import { add, type Cents } from '@sparechange/domain';
import { appendToAuditLog } from '#audit/audit-log.ts';
import type { Db, Pool } from '#db/connect.ts';
import { getPendingPayments } from '#features/core/ledger/pending-payments.ts';
import { deleteWork } from '#features/core/supporter-work/work-repository.ts';
import { queueEmail } from '#features/correspondence/emails/queue-email.ts';
import { type WithdrawalDeps, withdrawConsent } from '#features/supporters/consents/withdraw-consent.ts';
import { type Clock, today } from '#ports/clock.ts';
import { cancelMandates } from './cancel-mandates.ts';
import { type Deletion, type DeletionDeps, deleteBankData } from './delete-bank-data.ts';
import { endCollecting, mailRefusedDonations } from './stop-debits.ts';

/** Removes our own identity service's user, freeing the address. */
export type RemoveUser = (tx: Db, uid: string) => Promise<'removed' | 'not ours'>;

export type ClosingDeps = DeletionDeps & WithdrawalDeps & { removeUser: RemoveUser };

export interface ClosureSummary {
  identity: 'removed' | 'not ours';
  bankData: Deletion['result'];
  /** Debits that complete before the daily run deletes bank data. */
  inFlight: { debits: number; totalCents: Cents };
  /** Still to be deposited into the savings account. */
  setAsideCents: Cents;
}

/**
 * Closes an account for good: nothing is collected from that moment, mandates and the consent are cancelled at the
 * providers, and it can no longer be used to sign in. Payments under way complete. Repeating it finishes steps that
 * failed earlier, and so does the daily run.
 */
export async function closeSupporter(deps: ClosingDeps, supporterId: string, askedBy: string): Promise<ClosureSummary> {
  const identity = await closeAccount(deps, supporterId, askedBy);
  const bankData = await finishClosing(deps, supporterId, askedBy);
  const { debits, donations, setAsideCents } = await getPendingPayments(deps.db, supporterId);
  const inFlight = { debits: debits.count + donations.count, totalCents: add(debits.cents, donations.cents) };
  return { identity, bankData, inFlight, setAsideCents };
}

/**
 * Does the part that needs no provider: closes the account, then removes its user; the daily run removes one that is
 * left.
 */
export async function closeAccount(
  { db, clock, removeUser }: Pick<ClosingDeps, 'db' | 'clock' | 'removeUser'>,
  supporterId: string,
  askedBy: string,
): Promise<ClosureSummary['identity']> {
  const uid = await db.begin(async (tx) => {
    await closeInTransaction(tx, clock, supporterId, askedBy);
    const [supporter] = await tx<{ uid: string }[]>`select uid from supporters where supporter_id = ${supporterId}`;
    return supporter?.uid ?? '';
  });
  return db.inControl().begin((tx) => removeUser(tx, uid));
}

/** Closes the account of a user who is about to be removed, if there is one. */
export async function closeAccountOfRemoved(db: Pool, clock: Clock, supporterId: string): Promise<void> {
  await db.begin(async (tx) => {
    const [supporter] = await tx`select from supporters where supporter_id = ${supporterId}`;
    if (supporter) await closeInTransaction(tx, clock, supporterId, 'supporter');
  });
}

async function closeInTransaction(tx: Db, clock: Clock, supporterId: string, askedBy: string): Promise<void> {
  const at = clock.now();
  const { refused } = await endCollecting(tx, clock, supporterId, "the supporter's account was closed");
  await mailRefusedDonations(tx, at, supporterId, refused);
  const [newlyClosed] = await tx`
    update supporters set closed_on = ${today(clock)} where supporter_id = ${supporterId} and closed_on is null returning 1`;
  if (!newlyClosed) return;
  await deleteWork(tx, supporterId);
  await appendToAuditLog(tx, { supporterId, at, actor: askedBy, action: "closed the supporter's account" });
  const { debits, donations, deposits, refunds, setAsideCents } = await getPendingPayments(tx, supporterId);
  const facts = { kind: 'account_closed', debits, donations, deposits, refunds, setAsideCents } as const;
  await queueEmail(tx, { supporterId, key: 'account closed', facts, at });
}

/**
 * Does the providers' part: ends the consent and mandates, and deletes bank data. Throws if a provider does not answer.
 */
export async function finishClosing(
  deps: DeletionDeps & WithdrawalDeps,
  supporterId: string,
  askedBy: string,
): Promise<Deletion['result']> {
  await withdrawConsent(deps, supporterId, askedBy);
  await cancelMandates(deps, supporterId);
  return (await deleteBankData(deps, supporterId, askedBy)).result;
}
