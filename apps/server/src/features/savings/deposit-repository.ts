import { type Cents, type IsoDate, type Month, sydneyDay } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import type { PayoutState } from '#features/payouts/payout-state.ts';
import { isDueAgain, isSubmitting, unansweredColumns } from '#features/submission/unanswered-payments.ts';

export interface Deposit {
  supporterId: string;
  id: string;
  clubId: string;
  month: Month;
  amount: Cents;
  reference: string;
  state: PayoutState;
  maskedNumber: string;
  submittingAt: Date | null;
  attempts: number;
  unknownSince: Date | null;
}

/** A deposit with the account that is linked now. */
export interface PayableDeposit extends Deposit {
  email: string;
  accountName: string;
  bsbSealed: Uint8Array;
  accountNumberSealed: Uint8Array;
}

const columns = (db: Db) => db`
  deposit.supporter_id as "supporterId", deposit.id, giver.club_id as "clubId", deposit.month,
  deposit.amount_cents as amount, deposit.reference, deposit.state, deposit.masked_number as "maskedNumber",
  deposit.submitting_at as "submittingAt", ${unansweredColumns(db, 'deposit')}`;

const payee = (db: Db) => db`
  giver.email, savings.account_name as "accountName", savings.bsb_sealed as "bsbSealed",
  savings.account_number_sealed as "accountNumberSealed"`;

/** Lists submissions without a conclusive answer that are due again. */
export const listDueDeposits = (db: Db, now: Date, limit: number): Promise<PayableDeposit[]> =>
  listSubmitting(db, isDueAgain(db, 'deposit', now), limit);

/** Finds a deposit that is being submitted, parked or not. */
export async function findSubmittingDeposit(db: Db, id: string): Promise<PayableDeposit | undefined> {
  const [deposit] = await listSubmitting(db, isSubmitting(db, 'deposit', id), 1);
  return deposit;
}

function listSubmitting(db: Db, which: ReturnType<typeof isSubmitting>, limit: number): Promise<PayableDeposit[]> {
  return db<PayableDeposit[]>`
    select ${columns(db)}, ${payee(db)} from deposits deposit
    join supporters giver using (supporter_id) join savings_accounts savings using (supporter_id)
    where ${which} order by deposit.next_attempt_at nulls first limit ${limit}`;
}

/** Selects accounts that may receive: replacements wait two banking days. */
const receives = (db: Db, day: IsoDate) => db`coalesce(savings.receives_from <= ${day}, true)`;

export function claimDeposits(db: Db, now: Date, limit: number): Promise<PayableDeposit[]> {
  return db<PayableDeposit[]>`
    with next as (
      select waiting.supporter_id, waiting.id from deposits waiting join savings_accounts savings using (supporter_id)
      where waiting.state = 'planned' and ${receives(db, sydneyDay(now))} order by waiting.supporter_id limit ${limit} for update of waiting
    )
    update deposits deposit set state = 'submitting', submitting_at = ${now},
      masked_number = savings.masked_number, account_linked_at = savings.linked_at
    from next, supporters giver, savings_accounts savings
    where deposit.supporter_id = next.supporter_id and deposit.id = next.id
      and giver.supporter_id = deposit.supporter_id and savings.supporter_id = deposit.supporter_id
    returning ${columns(db)}, ${payee(db)}`;
}

/** Claims again those the provider lacks, for the current account. */
export function claimDepositsAgain(db: Db, now: Date, deposits: Deposit[]): Promise<PayableDeposit[]> {
  return db<PayableDeposit[]>`
    update deposits deposit set submitting_at = ${now},
      masked_number = savings.masked_number, account_linked_at = savings.linked_at
    from unnest(${deposits.map((each) => each.supporterId)}::uuid[], ${deposits.map((each) => each.id)}::uuid[])
      as missing (supporter_id, id), supporters giver, savings_accounts savings
    where deposit.supporter_id = missing.supporter_id and deposit.id = missing.id and deposit.state = 'submitting'
      and giver.supporter_id = deposit.supporter_id and savings.supporter_id = deposit.supporter_id
      and ${receives(db, sydneyDay(now))}
    returning ${columns(db)}, ${payee(db)}`;
}

/** Moves a deposit between states and returns whether it did. */
export async function moveDeposit(
  db: Db,
  { supporterId, id }: Pick<Deposit, 'supporterId' | 'id'>,
  from: PayoutState,
  to: PayoutState,
  facts: { at: Date; providerRef?: string; returnCode?: number | undefined; failure?: string | undefined },
): Promise<boolean> {
  const moved = await db`
    update deposits set state = ${to}, parked_at = null,
      provider_ref = coalesce(${facts.providerRef ?? null}, provider_ref),
      return_code = coalesce(${facts.returnCode ?? null}, return_code),
      failure = coalesce(${facts.failure ?? null}, failure),
      submitted_at = case when ${to === 'submitted'} then ${facts.at}::timestamptz else submitted_at end,
      settled_at = case when ${to === 'submitted'} then settled_at else ${facts.at}::timestamptz end
    where supporter_id = ${supporterId} and id = ${id} and state = ${from}`;
  return moved.count === 1;
}

/** Locks a deposit by provider reference, so updates take turns. */
export async function lockDepositByProviderRef(db: Db, providerRef: string): Promise<Deposit | undefined> {
  const [deposit] = await db<Deposit[]>`
    select ${columns(db)} from deposits deposit join supporters giver using (supporter_id)
    where deposit.provider_ref = ${providerRef} for update of deposit`;
  return deposit;
}
