import type { Pool } from '#db/connect.ts';
import { noteInAuditLog } from '#features/operation/audit-log.ts';
import { today } from '#ports/clock.ts';
import { sumOpenDebits } from './bank-data-repository.ts';
import { cancelAuthorities } from './cancel-authorities.ts';
import { type Deletion, type DeletionDeps, deleteBankData } from './delete-bank-data.ts';
import { type WithdrawalDeps, withdrawConsent } from './withdraw-consent.ts';

export type ClosingDeps = DeletionDeps &
  WithdrawalDeps & {
    /** Shuts the identity user out, where the identity service is ours. */
    disableUser: (uid: string) => Promise<'disabled' | 'not ours'>;
  };

export interface Closed {
  identity: 'disabled' | 'not ours';
  bankData: Deletion['result'];
  /** Debits at the provider: they complete, and then the bank data are deleted by the daily run. */
  inFlight: { debits: number; totalCents: number };
  /** Still to be deposited into the savings account. */
  setAsideCents: number;
}

/**
 * Closes an account for good: nothing is collected from that moment, the authority to debit and the consent are
 * withdrawn at the providers, and nobody signs in with it again. What is under way completes. Doing it again finishes
 * what an earlier attempt could not.
 */
export async function closeSupporter(deps: ClosingDeps, supporterId: string): Promise<Closed> {
  const { db } = deps;
  await markClosed(deps, supporterId);
  const identity = await deps.disableUser(await uidOf(db, supporterId));
  await withdrawConsent(deps, supporterId);
  await cancelAuthorities(deps, supporterId);
  const deletion = await deleteBankData(deps, supporterId, 'operator');
  const [aside] = await db<{ cents: number }[]>`
    select cents from ledger_balances where supporter_id = ${supporterId} and account = 'savings_payable'`;
  return {
    identity,
    bankData: deletion.result,
    inFlight: await sumOpenDebits(db, supporterId),
    setAsideCents: aside?.cents ?? 0,
  };
}

async function markClosed({ db, clock }: ClosingDeps, supporterId: string): Promise<void> {
  await db.begin(async (tx) => {
    const closed = await tx`
      update supporters set closed_on = ${today(clock)} where supporter_id = ${supporterId} and closed_on is null`;
    if (closed.count === 0) return;
    await noteInAuditLog(tx, { supporterId, at: clock.now(), actor: 'operator', action: 'closed the account' });
  });
}

async function uidOf(db: Pool, supporterId: string): Promise<string> {
  const [row] = await db<{ uid: string }[]>`select uid from supporters where supporter_id = ${supporterId}`;
  return row?.uid ?? '';
}
