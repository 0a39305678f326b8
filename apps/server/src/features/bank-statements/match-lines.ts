import type { Cents } from '@sparechange/domain';
import type { Db, Pool } from '#db/connect.ts';
import { bookingDay } from '#features/ledger/booking-day.ts';
import type { Clock } from '#ports/clock.ts';

export interface MatchedLines {
  matched: number;
  /** Lines that nothing explains yet; they stay in suspense. */
  open: number;
}

/** Days within which a bank books what the provider settled. */
const maxDaysLater = 5;

/**
 * Matches each line that is still open with one payment, by reference, amount and day, or with what the provider
 * settled on a day. What is matched leaves suspense.
 */
export async function matchOpenLines({ db, clock }: { db: Pool; clock: Clock }): Promise<MatchedLines> {
  return db.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtext('sparechange.bank statement'))`;
    const now = clock.now();
    const payments = await matchPayments(tx, now);
    const settlements = await matchSettlements(tx, now);
    const matched = payments + settlements;
    if (matched > 0) await bookMatched(tx, clock, now);
    const [row] = await tx<{ open: number }[]>`
      select count(*) as open from bank_statement_lines where matched_kind is null`;
    return { matched, open: row?.open ?? 0 };
  });
}

/**
 * A line is not older than its payment's plan. The time of submission is no bound: an answer that was lost is found
 * after the provider has paid.
 */
async function matchPayments(tx: Db, now: Date): Promise<number> {
  const matched = await tx`
    with line as materialized (
      select account, line_id, booked_on, cents, reference from bank_statement_lines
      where matched_kind is null and reference is not null
    ), payment as (
      select 'debit' as side, line.account, line.line_id, debit.state::text, debit.planned_at
      from line join debits debit on debit.reference = line.reference and debit.amount_cents = abs(line.cents)
        and debit.state in ('returned', 'reversed')
      union all select 'payout', line.account, line.line_id, deposit.state::text, deposit.planned_at
      from line join deposits deposit on deposit.reference = line.reference and deposit.amount_cents = abs(line.cents)
        and deposit.planned_at >= line.booked_on - interval '60 days'
      union all select 'payout', line.account, line.line_id, remittance.state::text, remittance.planned_at
      from line join remittances remittance on remittance.reference = line.reference
        and remittance.amount_cents = abs(line.cents)
      union all select 'payout', line.account, line.line_id, repayment.state::text, repayment.planned_at
      from line join repayments repayment on repayment.reference = line.reference
        and repayment.amount_cents = abs(line.cents)
    ), explained as (
      select distinct on (kind, reference) line.account, line.line_id, kind, reference
      from payment join line using (account, line_id) cross join lateral (
        select case
          when side = 'debit' and cents < 0 then 'claim'
          when side = 'payout' and cents < 0 and state in ('submitted', 'cleared', 'returned', 'reversed') then 'payout'
          when side = 'payout' and cents > 0 and state in ('returned', 'reversed') then 'payout_returned'
        end as kind) as kind
      where kind is not null and booked_on >= (planned_at at time zone 'Australia/Sydney')::date
        and not exists (select from bank_statement_lines earlier
          where earlier.matched_kind = kind.kind and earlier.matched_with = line.reference)
      order by kind, reference, booked_on, line_id
    )
    update bank_statement_lines line set matched_kind = explained.kind, matched_with = explained.reference, matched_at = ${now}
    from explained where line.account = explained.account and line.line_id = explained.line_id`;
  return matched.count;
}

/** Pairs lines and settlements of one amount in day order. */
async function matchSettlements(tx: Db, now: Date): Promise<number> {
  const lines = await tx<{ account: string; lineId: string; bookedOn: string; cents: Cents }[]>`
    select account, line_id as "lineId", booked_on as "bookedOn", cents from bank_statement_lines
    where matched_kind is null and reference is null order by booked_on, line_id limit 10000`;
  let matched = 0;
  for (const { account, lineId, bookedOn, cents } of lines) {
    const found = await tx`
      update bank_statement_lines set matched_kind = 'settlement', matched_with = settled.name, matched_at = ${now}
      from (
        select trim(settled_on::text || ' ' || batch) as name from provider_settlements settlement
        where settlement.cents = ${cents} and ${bookedOn}::date - settled_on between 0 and ${maxDaysLater}
          and not exists (select from bank_statement_lines earlier where earlier.matched_kind = 'settlement'
            and earlier.matched_with = trim(settled_on::text || ' ' || batch))
        order by settled_on, batch limit 1
      ) as settled
      where account = ${account} and line_id = ${lineId}`;
    matched += found.count;
  }
  return matched;
}

/** Moves what was matched out of suspense: money the provider owed us, or that we paid through it. */
async function bookMatched(tx: Db, clock: Clock, now: Date): Promise<void> {
  const bookedOn = await bookingDay(tx, clock);
  await tx`
    insert into platform_entries (kind, source, account, cents, booked_on)
    select 'statement_line_matched', line.account || ' ' || line_id, leg.account, cents * leg.sign, ${bookedOn}
    from bank_statement_lines line
    cross join (values ('suspense'::platform_account, 1), ('provider_float', -1)) as leg (account, sign)
    where matched_kind <> 'by_hand' and matched_at = ${now}
    on conflict do nothing`;
}
