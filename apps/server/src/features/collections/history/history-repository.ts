import { type Cents, type IneligibleReason, type IsoDate, noCents } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import { repaidCents } from '#features/core/ledger/pending-payments.ts';

export interface Donated {
  cents: Cents;
  /** Part of it whose debits have not cleared yet. */
  inFlightCents: Cents;
}

/**
 * Returns the club's part of everything submitted, not returned and not refunded, from a day on
 * (docs/rules.md#donated-totals).
 */
export async function donatedTotal(db: Db, supporterId: string, from: IsoDate | null): Promise<Donated> {
  const [sum] = await db<Donated[]>`
    select coalesce(sum(amount_cents - savings_cents - ${repaidCents(db)}), 0)::bigint as cents,
      coalesce(sum(amount_cents - savings_cents) filter (where state = 'submitted'), 0)::bigint as "inFlightCents"
    from debits
    where supporter_id = ${supporterId} and state in ('submitted', 'cleared')
      and (${from}::date is null or run_date >= ${from}::date)`;
  return sum ?? { cents: noCents, inFlightCents: noCents };
}

/** Returns the club's part by month (first day), newest first. */
export function donatedByMonth(db: Db, supporterId: string): Promise<{ month: IsoDate; cents: Cents }[]> {
  return db<{ month: IsoDate; cents: Cents }[]>`
    select date_trunc('month', run_date)::date as month, sum(amount_cents - savings_cents - ${repaidCents(db)})::bigint as cents
    from debits where supporter_id = ${supporterId} and state in ('submitted', 'cleared')
    group by 1 order by 1 desc`;
}

export type LineKind = 'round-up' | 'refund' | 'ineligible';

export interface HistoryLine {
  kind: LineKind;
  /** Order of recording purchases; a refund has its purchase's. */
  seq: number;
  /** The bank's id of the line. */
  lineId: string;
  day: IsoDate;
  description: string;
  /** Negative for a refund, as are `rawCents` and `countedCents`. */
  purchaseCents: Cents;
  rawCents: Cents;
  countedCents: Cents;
  isRefunded: boolean;
  /** Reason why a line gave no round-up. */
  reason: IneligibleReason | null;
  state: 'waiting' | 'submitted' | 'cleared' | 'refunded' | 'returned' | 'dropped' | 'none';
  /** Debit that last collected it. */
  debitId: string | null;
}

/** Maximum number of lines listed: about three years; "download everything" has all. */
export const maxLines = 5_000;

/**
 * Lists the newest lines the bank showed of a supporter and the state of their spare change; one more indicates older
 * ones.
 */
export function listHistory(db: Db, supporterId: string, limit = maxLines + 1): Promise<HistoryLine[]> {
  return db<HistoryLine[]>`
    with recursive collecting as (
      select id as covering, id, state, represented_by, dropped_on, amount_cents from debits
      where supporter_id = ${supporterId} and (first_seq is not null or refunds_cents > 0)
      union all
      select collecting.covering, again.id, again.state, again.represented_by, again.dropped_on, again.amount_cents
      from collecting join debits again on again.supporter_id = ${supporterId} and again.id = collecting.represented_by
    ), line as (
      select 'round-up' as kind, seq, purchase.transaction_id, purchase.posted_on as day, purchase.description,
        purchase_cents, raw_cents, counted_cents, refund.id is not null as is_refunded, null as reason, covering.id as debit_id
      from round_ups purchase
      left join purchase_refunds refund on refund.supporter_id = purchase.supporter_id and refund.round_up_seq = purchase.seq
      left join debits covering on covering.supporter_id = purchase.supporter_id
        and purchase.seq between covering.first_seq and covering.last_seq
      where purchase.supporter_id = ${supporterId}
      union all
      select 'refund', seq, refund.transaction_id, refund.posted_on, refund.description, -purchase_cents, -cents, -cents, false,
        null, taken_off_by
      from purchase_refunds refund join round_ups purchase
        on purchase.supporter_id = refund.supporter_id and purchase.seq = refund.round_up_seq
      where refund.supporter_id = ${supporterId}
      union all
      select 'ineligible', 0, transaction_id, day, description, cents, 0, 0, false, reason, null
      from ineligible_transactions where supporter_id = ${supporterId}
    )
    select kind, seq, transaction_id as "lineId", day, description, purchase_cents as "purchaseCents", raw_cents as "rawCents",
      counted_cents as "countedCents", is_refunded as "isRefunded", reason,
      case
        when counted_cents = 0 then 'none'
        when latest.state in ('submitted', 'submitting') then 'submitted'
        when latest.state = 'cleared' and latest.amount_cents = (
          select sum(repayment.amount_cents) from repayments repayment where repayment.supporter_id = ${supporterId}
            and debit_id = latest.id and repayment.state in ('planned', 'submitting', 'submitted', 'cleared')) then 'refunded'
        when latest.state = 'cleared' then 'cleared'
        when latest.state = 'reversed' then 'returned'
        when latest.dropped_on is not null then 'dropped'
        when kind = 'round-up' and debit_id is null and seq <= (
          select max(through_seq) from campaign_drops where supporter_id = ${supporterId}) then 'dropped'
        else 'waiting'
      end as state,
      latest.id as "debitId"
    from line
    left join collecting latest on latest.covering = line.debit_id and latest.represented_by is null
    order by day desc, seq desc, transaction_id limit ${limit}`;
}

export interface HistoryDebit {
  id: string;
  kind: 'round-up' | 'donation';
  date: IsoDate;
  amountCents: Cents;
  savingsCents: Cents;
  /** Club's part that was refunded since. */
  repaidCents: Cents;
  state: 'planned' | 'submitting' | 'submitted' | 'cleared' | 'returned' | 'reversed';
}

/**
 * Lists submitted debits that were not returned or were reversed, and every one-off donation except those never taken.
 */
export function listHistoryDebits(db: Db, supporterId: string): Promise<HistoryDebit[]> {
  return db<HistoryDebit[]>`
    select id, kind, run_date as date, amount_cents as "amountCents", savings_cents as "savingsCents",
      ${repaidCents(db)}::bigint as "repaidCents", state
    from debits where supporter_id = ${supporterId} and (state in ('submitted', 'cleared', 'reversed')
      or (kind = 'donation' and state in ('planned', 'submitting', 'returned')))
    order by run_date desc, id desc`;
}
