import type { Cents, IsoDate } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import type { DebitState } from '#features/collections/debits/debit-repository.ts';
import type { PayoutState } from '#features/core/payouts/payout-kind.ts';
import type { HistoryLine } from './history-repository.ts';

export interface KnownLine extends Omit<HistoryLine, 'state'> {
  account: string | null;
  stepCents: Cents;
  limitCents: Cents;
  /** Refund of a purchase, or purchase of a refund. */
  pairId: string | null;
  pairDay: IsoDate | null;
  /** Cents deducted by the refund. */
  takenOffCents: Cents;
  /** Debit that first took it. */
  debitId: string | null;
}

/** Finds one history line with its known facts besides money. */
export async function findLine(db: Db, supporterId: string, lineId: string): Promise<KnownLine | undefined> {
  const [line] = await db<KnownLine[]>`
    with line as (
      select 'round-up' as kind, purchase.transaction_id, purchase.account_id, purchase.posted_on as day,
        purchase.description, purchase_cents, step_cents, limit_cents, raw_cents, counted_cents,
        refund.id is not null as is_refunded, null as reason, refund.transaction_id as pair_id,
        refund.posted_on as pair_day, coalesce(refund.cents, 0) as taken_off, covering.id as debit_id
      from round_ups purchase
      left join purchase_refunds refund on refund.supporter_id = purchase.supporter_id and refund.round_up_seq = purchase.seq
      left join debits covering on covering.supporter_id = purchase.supporter_id
        and purchase.seq between covering.first_seq and covering.last_seq
      where purchase.supporter_id = ${supporterId} and purchase.transaction_id = ${lineId}
      union all
      select 'refund', refund.transaction_id, refund.account_id, refund.posted_on, refund.description, -purchase_cents, 0, 0,
        -cents, -cents, false, null, purchase.transaction_id, purchase.posted_on, cents, taken_off_by
      from purchase_refunds refund join round_ups purchase
        on purchase.supporter_id = refund.supporter_id and purchase.seq = refund.round_up_seq
      where refund.supporter_id = ${supporterId} and refund.transaction_id = ${lineId}
      union all
      select 'ineligible', transaction_id, account_id, day, description, cents, 0, 0, 0, 0, false, reason, null, null, 0, null
      from ineligible_transactions where supporter_id = ${supporterId} and transaction_id = ${lineId}
    )
    select line.kind, transaction_id as "lineId", day, description, purchase_cents as "purchaseCents", step_cents as "stepCents",
      limit_cents as "limitCents", raw_cents as "rawCents", counted_cents as "countedCents", is_refunded as "isRefunded",
      reason, pair_id as "pairId", pair_day as "pairDay", taken_off as "takenOffCents", debit_id as "debitId",
      account.name as account
    from line left join accounts account on account.supporter_id = ${supporterId} and account.id = line.account_id
    limit 1`;
  return line;
}

export interface LineDebitRow {
  id: string;
  date: IsoDate;
  clubId: string;
  club: string;
  amountCents: Cents;
  savingsCents: Cents;
  state: DebitState;
  /** Cents of it that an operator has given back. */
  refundedCents: Cents;
  reference: string;
  providerRef: string | null;
  /** Booking day of its clearing, by which clubs are paid. */
  clearedOn: IsoDate | null;
}

/** Lists a debit and those that re-present it, in order. */
export function listCollecting(db: Db, supporterId: string, debitId: string): Promise<LineDebitRow[]> {
  return db<LineDebitRow[]>`
    with recursive collecting as (
      select debit.*, 1 as place from debits debit where supporter_id = ${supporterId} and id = ${debitId}
      union all
      select again.*, place + 1
      from collecting join debits again on again.supporter_id = ${supporterId} and again.id = collecting.represented_by
    )
    select collecting.id, run_date as date, collecting.club_id as "clubId", clubs.name as club, amount_cents as "amountCents",
      savings_cents as "savingsCents", state, reference, provider_ref as "providerRef",
      coalesce((select sum(repayment.amount_cents)::bigint from repayments repayment
        where repayment.supporter_id = ${supporterId} and debit_id = collecting.id
          and repayment.state in ('planned', 'submitting', 'submitted', 'cleared')), 0)::bigint as "refundedCents",
      (select booked_on from ledger_entries booked where booked.supporter_id = ${supporterId}
        and booked.kind = 'cleared' and booked.source = collecting.id and booked.account = 'club_payable') as "clearedOn"
    from collecting join clubs on clubs.id = collecting.club_id order by place`;
}

/** Lists everything a debit is made of: its own round-ups and refunds and those of the debits it re-presents. */
export function listParts(db: Db, supporterId: string, debitId: string): Promise<{ lineId: string; cents: Cents }[]> {
  return db<{ lineId: string; cents: Cents }[]>`
    with recursive made_of as (
      select id, first_seq, last_seq from debits where supporter_id = ${supporterId} and id = ${debitId}
      union all
      select earlier.id, earlier.first_seq, earlier.last_seq
      from made_of join debits earlier on earlier.supporter_id = ${supporterId} and earlier.represented_by = made_of.id
    ), part as (
      select seq, transaction_id, counted_cents as cents
      from made_of join round_ups on round_ups.supporter_id = ${supporterId} and seq between first_seq and last_seq
      union all
      select round_up_seq, transaction_id, -cents
      from made_of join purchase_refunds on purchase_refunds.supporter_id = ${supporterId} and taken_off_by = made_of.id
    )
    select transaction_id as "lineId", cents::bigint from part order by seq, cents desc`;
}

export interface PayoutRow {
  date: IsoDate;
  reference: string;
  state: PayoutState;
}

/** Finds the deposit of savings set aside on a day: the first of that month or later that did not fail. */
export async function findDeposit(db: Db, supporterId: string, clearedOn: IsoDate): Promise<PayoutRow | undefined> {
  const [deposit] = await db<PayoutRow[]>`
    select (planned_at at time zone 'Australia/Sydney')::date as date, reference, state from deposits
    where supporter_id = ${supporterId} and month >= date_trunc('month', ${clearedOn}::date)::date
      and state in ('planned', 'submitting', 'submitted', 'cleared')
    order by month, attempt limit 1`;
  return deposit;
}
