import { type Finding, ofControl } from './check.ts';
import { missingReceivablesAt } from './club-payables.ts';
import { daySums, movedByPayouts } from './day-sums.ts';

/** Invariants within the platform's ledger and against its sub-ledgers (docs/decisions/ledger.md#platform-ledger). */
export const checksOfPlatform = ofControl({
  'platform transfers sum to zero': (db) => db<Finding[]>`
    with transfer as (select kind, source, sum(cents) as sum from platform_entries group by 1, 2)
    select null as violation, count(*) as checked from transfer
    union all select format('transfer %s %s sums to %s', kind, source, sum), 0 from transfer where sum <> 0`,

  'platform balances equal their journal': (db) => db<Finding[]>`
    with journal as (
      select account, club_id, sum(case when is_platform_asset(account) then cents else -cents end) as cents
      from platform_entries group by 1, 2
    ), compared as (
      select account, club_id, journal.cents as journal, balance.cents as balance
      from journal full join platform_balances balance using (account, club_id)
    )
    select null as violation, count(*) as checked from compared
    union all select format('%s of %s: the journal says %s, the balance %s', account, club_id, journal, balance), 0
    from compared where journal is distinct from balance`,

  'trust account and provider hold what is owed less named shortfalls': (db) => db<Finding[]>`
    with balance as (
      select coalesce(sum(cents) filter (where account in ('trust_bank', 'provider_float')), 0) as held,
        coalesce(sum(cents) filter (where not is_platform_asset(account)), 0) as owed,
        coalesce(sum(cents) filter (where is_platform_asset(account) and account not in ('trust_bank', 'provider_float')), 0) as short
      from platform_balances
    )
    select null as violation, (select count(*) from platform_balances) as checked
    union all select format('%s is held, %s is owed and %s is named as a shortfall', held, owed, short), 0
    from balance where held <> owed - short`,

  'each closed day is in the books of the platform': {
    reported: daySums,
    find: (db, since) => db<Finding[]>`
      with booked as (
        select booked_on, account, sum(cents)::bigint as cents from platform_entries
        where kind = 'day_closed' and booked_on > coalesce(${since}::date, '-infinity') group by 1, 2
      ), total as (
        select day as booked_on, account, sum(cents)::bigint as cents from (
          select day, account, cents from reported_by_buckets
          union all ${movedByPayouts(db)} and booked_on > coalesce(${since}::date, '-infinity')
        ) as moved, closed_days where day <= rolled_up_until group by 1, 2 having sum(cents) <> 0
      ), compared as (
        select booked_on, account, coalesce(booked.cents, 0) as booked, coalesce(total.cents, 0) as total
        from total full join booked using (booked_on, account)
      )
      select null as violation, count(*) as checked from compared
      union all select format('%s of %s: the ledgers below say %s, the platform %s', account, booked_on, total, booked), 0
      from compared where booked <> total`,
  },

  'each club below zero is a receivable': (db) => db<Finding[]>`
    with compared as (
      select club_id, difference.cents from closed_days
        cross join lateral (${missingReceivablesAt(db, db`rolled_up_until`)}) difference
    )
    select null as violation, count(*) as checked from compared
    union all select format('the receivable from club %s is off by %s', club_id, cents), 0 from compared where cents <> 0`,

  'each correction of a club is in the books of the platform': (db) => db<Finding[]>`
    with compared as (
      select source, coalesce(club.cents, 0) as club, coalesce(platform.cents, 0) as platform from (
        select source, sum(cents)::bigint as cents from club_entries where kind = 'corrected' and account = 'payable' group by 1
      ) club full join (
        select source, cents from platform_entries where kind = 'correction' and account = 'owed_to_clubs'
      ) platform using (source)
    )
    select null as violation, count(*) as checked from compared
    union all select format('correction %s is %s for the club, %s for the platform', source, -club, -platform), 0
    from compared where club <> platform`,

  'each line of a bank statement is booked, and in suspense until it is matched': (db) => db<Finding[]>`
    with booked as (
      select source, coalesce(sum(cents) filter (where account = 'trust_bank'), 0) as bank,
        coalesce(sum(cents) filter (where account = 'suspense'), 0) as suspense
      from platform_entries where kind in ('statement_line', 'statement_line_matched', 'statement_line_taken_back')
      group by source
    ), compared as (
      select coalesce(account || ' ' || line_id, source) as name, line.cents, matched_kind is null as is_open, bank, suspense
      from bank_statement_lines line full join booked on source = coalesce(booked_as, account || ' ' || line_id)
    )
    select null as violation, count(*) as checked from compared
    union all select format('line %s of %s is booked with %s, in suspense are %s', name, cents, bank, suspense), 0 from compared
    where bank is distinct from coalesce(cents, 0) or -suspense is distinct from coalesce(case when is_open then cents end, 0)`,

  'each matched line is its payment': {
    requested: {
      columns: 'reference text',
      select: (db) => db`
        select distinct matched_with from bank_statement_lines where matched_kind in ('collection', 'claim', 'payout', 'payout_returned')`,
    },
    reported: {
      columns: 'reference text, amount_cents bigint',
      select: (bucket) => bucket`
        select reference, amount_cents from requested_of_buckets join debits using (reference) where state in ('cleared', 'returned', 'reversed')
        union all select reference, amount_cents from requested_of_buckets join deposits using (reference)
        union all select reference, amount_cents from requested_of_buckets join repayments using (reference)`,
    },
    find: (db) => db<Finding[]>`
      with payment as (
        select reference, amount_cents from reported_by_buckets union all select reference, amount_cents from remittances
      ), compared as (
        select line.line_id, line.cents, line.matched_kind, matched_with, case
          when matched_kind = 'settlement' then (
            select cents from provider_settlements where trim(settled_on::text || ' ' || batch) = matched_with)
          when matched_kind in ('collection', 'payout_returned') then (select amount_cents from payment where reference = matched_with)
          else (select -amount_cents from payment where reference = matched_with)
        end as explained
        from bank_statement_lines line where matched_kind <> 'by_hand'
      )
      select null as violation, count(*) as checked from compared
      union all select format('line %s of %s cents is matched as %s with %s, which is %s cents', line_id, cents, matched_kind, matched_with, explained), 0
      from compared where cents is distinct from explained`,
  },

  'no receivable of the platform and nothing it owes is below zero': (db) => db<Finding[]>`
    select null as violation, count(*) as checked from platform_balances
    union all select format('%s%s is %s cents', account, case when account = 'receivable_from_club' then ' of club ' || club_id else '' end, cents), 0
    from platform_balances
    where cents < 0 and account in ('receivable_from_club', 'receivable_from_saver', 'receivable_from_payer', 'owed_to_clubs', 'owed_to_savers', 'owed_to_payers')`,
});
