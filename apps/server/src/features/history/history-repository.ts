import type { IsoDate } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';

/** The club's part of everything submitted and not returned, in cents, from a day on (design 7.7). */
export async function donatedCents(db: Db, supporterId: string, from: IsoDate | null): Promise<number> {
  const [sum] = await db<{ cents: number }[]>`
    select coalesce(sum(amount_cents - savings_cents), 0)::bigint as cents from debits
    where supporter_id = ${supporterId} and state in ('submitted', 'cleared')
      and (${from}::date is null or run_date >= ${from}::date)`;
  return sum?.cents ?? 0;
}

/** The same by month, newest first; `month` is its first day. */
export function donatedByMonth(db: Db, supporterId: string): Promise<{ month: IsoDate; cents: number }[]> {
  return db<{ month: IsoDate; cents: number }[]>`
    select date_trunc('month', run_date)::date as month, sum(amount_cents - savings_cents)::bigint as cents
    from debits where supporter_id = ${supporterId} and state in ('submitted', 'cleared')
    group by 1 order by 1 desc`;
}

export interface HistoryLine {
  day: IsoDate;
  description: string;
  purchaseCents: number;
  countedCents: number;
  state: 'waiting' | 'submitted' | 'cleared' | 'returned' | 'none';
}

/** A supporter's purchases, newest first, with what became of their spare change. */
export function listHistory(db: Db, supporterId: string): Promise<HistoryLine[]> {
  return db<HistoryLine[]>`
    with recursive collecting as (
      select id as covering, id, state, repeated_by from debits where supporter_id = ${supporterId} and first_seq is not null
      union all
      select collecting.covering, again.id, again.state, again.repeated_by
      from collecting join debits again on again.supporter_id = ${supporterId} and again.id = collecting.repeated_by
    )
    select posted_on as day, description, purchase_cents as "purchaseCents", counted_cents as "countedCents",
      case
        when counted_cents = 0 then 'none'
        when latest.state in ('submitted', 'submitting') then 'submitted'
        when latest.state = 'cleared' then 'cleared'
        when latest.state = 'reversed' then 'returned'
        else 'waiting'
      end as state
    from round_ups
    left join debits covering on covering.supporter_id = round_ups.supporter_id
      and round_ups.seq between covering.first_seq and covering.last_seq
    left join collecting latest on latest.covering = covering.id and latest.repeated_by is null
    where round_ups.supporter_id = ${supporterId}
    order by posted_on desc, seq desc`;
}
