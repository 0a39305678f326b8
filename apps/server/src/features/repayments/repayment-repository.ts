import type { Cents, IsoDate } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import type { PayoutState } from '#features/payouts/payout-state.ts';
import { isDueAgain, isSubmitting, unansweredColumns } from '#features/submission/unanswered-payments.ts';

/** A repayment of a debit. */
export interface Repayment {
  supporterId: string;
  id: string;
  debitId: string;
  clubId: string;
  amount: Cents;
  /** Part of it that had been set aside. */
  savings: Cents;
  reference: string;
  state: PayoutState;
  /** True if the payer's bank also reversed the debit meanwhile. */
  isClaimed: boolean;
  submittingAt: Date | null;
  attempts: number;
  unknownSince: Date | null;
}

/** A repayment with the account its debit was taken from. */
export interface PayableRepayment extends Repayment {
  email: string;
  accountName: string;
  bsbSealed: Uint8Array;
  accountNumberSealed: Uint8Array;
}

const columns = (db: Db) => db`
  repayment.supporter_id as "supporterId", repayment.id, repayment.debit_id as "debitId", debit.club_id as "clubId",
  repayment.amount_cents as amount, repayment.savings_cents as savings, repayment.reference, repayment.state,
  repayment.debit_claimed as "isClaimed", repayment.submitting_at as "submittingAt", ${unansweredColumns(db, 'repayment')}`;

const ofDebit = (db: Db) => db`
  debit.supporter_id = repayment.supporter_id and debit.id = repayment.debit_id`;

const payee = (db: Db) => db`
  giver.email, authority.payer_name as "accountName", account.bsb_sealed as "bsbSealed",
  account.account_number_sealed as "accountNumberSealed"`;

/** The account may be gone by now: then there is nowhere to pay to, and opening its number says so. */
const joinPayee = (db: Db) => db`
  join debits debit on ${ofDebit(db)}
  join supporters giver on giver.supporter_id = repayment.supporter_id
  join debit_authorities authority on authority.supporter_id = debit.supporter_id and authority.id = debit.authority_id
  left join accounts account on account.supporter_id = authority.supporter_id and account.id = authority.account_id`;

/** Lists submissions without a conclusive answer that are due again. */
export const listDueRepayments = (db: Db, now: Date, limit: number): Promise<PayableRepayment[]> =>
  listSubmitting(db, isDueAgain(db, 'repayment', now), limit);

/** Finds a repayment that is being submitted, parked or not. */
export async function findSubmittingRepayment(db: Db, id: string): Promise<PayableRepayment | undefined> {
  const [repayment] = await listSubmitting(db, isSubmitting(db, 'repayment', id), 1);
  return repayment;
}

function listSubmitting(db: Db, which: ReturnType<typeof isSubmitting>, limit: number): Promise<PayableRepayment[]> {
  return db<PayableRepayment[]>`
    select ${columns(db)}, ${payee(db)} from repayments repayment ${joinPayee(db)}
    where ${which} order by repayment.next_attempt_at nulls first limit ${limit}`;
}

/** Claims planned repayments, which may be at the provider afterwards. */
export async function claimRepayments(db: Db, now: Date, limit: number): Promise<PayableRepayment[]> {
  const claimed = await db<{ id: string }[]>`
    update repayments set state = 'submitting', submitting_at = ${now}
    where (supporter_id, id) in (select supporter_id, id from repayments
      where state = 'planned' order by planned_at, id limit ${limit} for update skip locked)
    returning id`;
  return listByIds(
    db,
    claimed.map(({ id }) => id),
  );
}

/** Takes unfinished repayments again that the provider has not. */
export async function claimRepaymentsAgain(db: Db, now: Date, repayments: Repayment[]): Promise<PayableRepayment[]> {
  const ids = repayments.map(({ id }) => id);
  await db`update repayments set submitting_at = ${now} where id = any(${ids}) and state = 'submitting'`;
  return listByIds(db, ids);
}

function listByIds(db: Db, ids: string[]): Promise<PayableRepayment[]> {
  return db<PayableRepayment[]>`
    select ${columns(db)}, ${payee(db)} from repayments repayment ${joinPayee(db)}
    where repayment.id = any(${ids}) and repayment.state = 'submitting' order by repayment.planned_at, repayment.id`;
}

/** Moves a repayment between states and returns whether it did. */
export async function moveRepayment(
  db: Db,
  { supporterId, id }: Pick<Repayment, 'supporterId' | 'id'>,
  from: PayoutState,
  to: PayoutState,
  facts: { at: Date; providerRef?: string; returnCode?: number | undefined; failure?: string | undefined },
): Promise<boolean> {
  const moved = await db`
    update repayments set state = ${to}, parked_at = null,
      provider_ref = coalesce(${facts.providerRef ?? null}, provider_ref),
      return_code = coalesce(${facts.returnCode ?? null}, return_code),
      failure = coalesce(${facts.failure ?? null}, failure),
      submitted_at = case when ${to === 'submitted'} then ${facts.at}::timestamptz else submitted_at end,
      settled_at = case when ${to === 'submitted'} then settled_at else ${facts.at}::timestamptz end
    where supporter_id = ${supporterId} and id = ${id} and state = ${from}`;
  return moved.count === 1;
}

/** Locks a repayment by provider reference, so updates take turns. */
export async function lockRepaymentByProviderRef(db: Db, providerRef: string): Promise<Repayment | undefined> {
  const [found] = await db<Pick<Repayment, 'supporterId' | 'id' | 'debitId'>[]>`
    select supporter_id as "supporterId", id, debit_id as "debitId" from repayments where provider_ref = ${providerRef}`;
  if (!found) return undefined;
  await lockDebit(db, found.supporterId, found.debitId); // before the repayment, as everybody does
  return lockRepayment(db, found);
}

export async function lockRepayment(
  db: Db,
  { supporterId, id }: Pick<Repayment, 'supporterId' | 'id'>,
): Promise<Repayment | undefined> {
  const [repayment] = await db<Repayment[]>`
    select ${columns(db)} from repayments repayment join debits debit on ${ofDebit(db)}
    where repayment.supporter_id = ${supporterId} and repayment.id = ${id} for update of repayment`;
  return repayment;
}

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
      state::text, reference from debits where supporter_id = ${supporterId} and id = ${id} for update`;
  return debit;
}

/** Repayments that stand: under way, or arrived. */
export const effectiveStates: readonly PayoutState[] = ['planned', 'submitting', 'submitted', 'cleared'];

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

/** Lists what stands of a debit's repayments, the latest last. */
export function listOpenRepayments(db: Db, debit: Pick<RepaidDebit, 'supporterId' | 'id'>): Promise<OpenRepayment[]> {
  return db<OpenRepayment[]>`
    select id, request_id as "requestId", amount_cents as amount, savings_cents as savings, state, reference,
      provider_ref as "providerRef", (planned_at at time zone 'Australia/Sydney')::date as "plannedOn"
    from repayments where supporter_id = ${debit.supporterId} and debit_id = ${debit.id}
      and state = any(${[...effectiveStates]}::payout_state[]) order by planned_at, id`;
}

/** Finds whether there is an account to pay back to. */
export async function hasPayee(db: Db, { supporterId, id }: Pick<RepaidDebit, 'supporterId' | 'id'>): Promise<boolean> {
  const [account] = await db`
    select from debits debit
    join debit_authorities authority on authority.supporter_id = debit.supporter_id and authority.id = debit.authority_id
    join accounts account on account.supporter_id = authority.supporter_id and account.id = authority.account_id
    where debit.supporter_id = ${supporterId} and debit.id = ${id}
      and bsb_sealed is not null and account_number_sealed is not null`;
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

/** Notes that a debit was claimed back as well; what was repaid of it by then is the payer's debt. */
export async function markClaimed(db: Db, debit: Pick<RepaidDebit, 'supporterId' | 'id'>): Promise<void> {
  await db`
    update repayments set debit_claimed = true
    where supporter_id = ${debit.supporterId} and debit_id = ${debit.id} and state = any(${[...effectiveStates]}::payout_state[])`;
}
