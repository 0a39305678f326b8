import type { Cents, IsoDate } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import { effectiveStates, type PayoutState } from '#features/core/payouts/payout-kind.ts';

export interface RepaidDebit {
  supporterId: string;
  id: string;
  clubId: string;
  kind: 'round-up' | 'donation';
  amount: Cents;
  savings: Cents;
  state: string;
  reference: string;
}

/** Locks a debit: its repayments and claims take turns. */
export async function lockDebit(db: Db, supporterId: string, id: string): Promise<RepaidDebit | undefined> {
  const [debit] = await db<RepaidDebit[]>`
    select supporter_id as "supporterId", id, club_id as "clubId", kind, amount_cents as amount, savings_cents as savings,
      state, reference from debits where supporter_id = ${supporterId} and id = ${id} for update`;
  return debit;
}

export interface OpenRepayment {
  id: string;
  requestId: string;
  amount: Cents;
  savings: Cents;
  state: PayoutState;
  reference: string;
  providerRef: string | null;
  plannedOn: IsoDate;
}

/** Lists a debit's valid repayments, latest last. */
export function listOpenRepayments(db: Db, debit: Pick<RepaidDebit, 'supporterId' | 'id'>): Promise<OpenRepayment[]> {
  return db<OpenRepayment[]>`
    select id, request_id as "requestId", amount_cents as amount, savings_cents as savings, state, reference,
      provider_ref as "providerRef", (planned_at at time zone 'Australia/Sydney')::date as "plannedOn"
    from repayments where supporter_id = ${debit.supporterId} and debit_id = ${debit.id}
      and state = any(${[...effectiveStates]}::payout_state[]) order by planned_at, id`;
}

/** Finds whether there is an account to repay to. */
export async function hasPayee(db: Db, { supporterId, id }: Pick<RepaidDebit, 'supporterId' | 'id'>): Promise<boolean> {
  const [account] = await db`
    select from debits debit
    join mandates mandate on mandate.supporter_id = debit.supporter_id and mandate.id = debit.mandate_id
    join accounts account on account.supporter_id = mandate.supporter_id and account.id = mandate.account_id
    where debit.supporter_id = ${supporterId} and debit.id = ${id}
      and bsb_encrypted is not null and account_number_encrypted is not null`;
  return account !== undefined;
}

export async function recordRepayment(
  db: Db,
  debit: Pick<RepaidDebit, 'supporterId' | 'id'>,
  facts: { requestId: string; amount: Cents; savings: Cents; reason: string; at: Date },
): Promise<string> {
  const [row] = await db<{ id: string }[]>`
    with named as (select uuidv7() as id)
    insert into repayments (supporter_id, id, debit_id, request_id, amount_cents, savings_cents, reason, reference, planned_at)
    select ${debit.supporterId}, id, ${debit.id}, ${facts.requestId}, ${facts.amount}, ${facts.savings}, ${facts.reason},
      payout_reference('RF', id), ${facts.at} from named
    returning id`;
  return row?.id ?? '';
}

/** Records that a debit was claimed back as well; the amount repaid by then is the payer's debt. */
export async function markClaimed(db: Db, debit: Pick<RepaidDebit, 'supporterId' | 'id'>): Promise<void> {
  await db`
    update repayments set debit_claimed = true
    where supporter_id = ${debit.supporterId} and debit_id = ${debit.id} and state = any(${[...effectiveStates]}::payout_state[])`;
}
