import { type Cents, type IsoDate, noCents, printableLine } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import type { PayoutState } from '#features/payouts/payout-kind.ts';

export interface StatementClub {
  id: string;
  name: string;
  abn: string | null;
}

export async function findStatementClub(db: Db, clubId: string): Promise<StatementClub | undefined> {
  const [club] = await db<StatementClub[]>`select id, name, abn from clubs where id::text = lower(${clubId})`;
  return club;
}

export interface StatementRemittance {
  date: IsoDate;
  reference: string;
  state: PayoutState;
  cents: Cents;
  /** For a failed one: true if a later one paid it, else it is paid again from `retryOn`. */
  isRetried: boolean;
  retryOn: IsoDate | null;
}

/** Lists a month's remittances by day made, failed ones included. */
export function listRemittances(db: Db, clubId: string, from: IsoDate, until: IsoDate): Promise<StatementRemittance[]> {
  return db<StatementRemittance[]>`
    select run_date as date, reference, state, amount_cents as cents, retried_by is not null as "isRetried",
      retry_on as "retryOn"
    from remittances
    where club_id = ${clubId} and run_date between ${from} and ${until} order by run_date, attempt`;
}

export interface StatementLine {
  supporterId: string;
  supporter: string;
  roundUpCents: Cents;
  donationCents: Cents;
  /** Cleared before, and taken back by the bank or refunded; above zero only where a refund did not arrive. */
  takenBackCents: Cents;
  totalCents: Cents;
}

/**
 * Supporter by supporter what the remittances of a month paid: the days they cover, and those of failed remittances
 * that they pay again. The club's part alone, never what was set aside as savings.
 */
export async function listStatementLines(
  db: Db,
  clubId: string,
  from: IsoDate,
  until: IsoDate,
): Promise<StatementLine[]> {
  const lines = await db<StatementLine[]>`
    with recursive paid as (
      select id, first_day, last_day from remittances
      where club_id = ${clubId} and run_date between ${from} and ${until} and state in ('planned', 'submitting', 'submitted', 'cleared')
      union all
      select failed.id, failed.first_day, failed.last_day
      from paid join remittances failed on failed.retried_by = paid.id
    ), entry as (
      select entry.supporter_id, entry.kind, entry.debit_kind, entry.cents
      from paid join gift_entries entry on entry.club_id = ${clubId}
        and entry.booked_on between paid.first_day and paid.last_day
    )
    select entry.supporter_id as "supporterId",
      coalesce(supporter.first_name || ' ' || supporter.last_name, 'Former supporter') as supporter,
      coalesce(sum(entry.cents) filter (where entry.kind = 'cleared' and debit_kind = 'round-up'), 0)::bigint as "roundUpCents",
      coalesce(sum(entry.cents) filter (where entry.kind = 'cleared' and debit_kind = 'donation'), 0)::bigint as "donationCents",
      coalesce(sum(entry.cents) filter (where entry.kind <> 'cleared'), 0)::bigint as "takenBackCents",
      sum(entry.cents)::bigint as "totalCents"
    from entry
    left join supporters supporter on supporter.supporter_id = entry.supporter_id
    group by entry.supporter_id, supporter.first_name, supporter.last_name
    order by supporter.last_name, supporter.first_name, entry.supporter_id`;
  return lines.map((line) => ({ ...line, supporter: printableLine(line.supporter) }));
}

/** Returns the club's cents not yet sent, open days included. */
export async function payableCents(db: Db, clubId: string): Promise<Cents> {
  const [payable] = await db<{ cents: Cents }[]>`
    select coalesce((select cents from club_balances where club_id = ${clubId} and account = 'payable'), 0)
      - coalesce((select sum(cents)::bigint from ledger_entries, closed_days
        where account = 'club_payable' and club_id = ${clubId} and booked_on > coalesce(closed_until, '-infinity')), 0) as cents`;
  return payable?.cents ?? noCents;
}
