import { type Finding, ofBuckets, ofControl } from './check.ts';

/** Invariants between round-ups, debits and their postings (docs/rules.md#audit-of-the-books). */
export const checksOfDebits = ofBuckets({
  'what is recorded is pledged': (db) => db<Finding[]>`
    with counted as (
      select supporter_id, sum(cents)::bigint as cents from recorded_cents group by 1 having sum(cents) > 0
    ), booked as (
      select supporter_id, sum(cents)::bigint as cents from ledger_entries
      where kind = 'recorded' and account = 'pledged' group by 1
    ), compared as (
      select supporter_id, counted.cents as counted, booked.cents as booked
      from counted full join booked using (supporter_id)
    )
    select null as violation, count(*) as checked from compared
    union all select format('%s recorded %s of round-ups, the journal says %s', supporter_id, counted, booked), 0
    from compared where counted is distinct from booked`,

  'each round-up in at most one debit': (db) => db<Finding[]>`
    with ranges as (
      select supporter_id, id, first_seq, max(last_seq) over (
        partition by supporter_id order by first_seq rows between unbounded preceding and 1 preceding) as reached
      from debit_ranges
    )
    select null as violation, count(*) as checked from ranges
    union all select format('debit %s starts at round-up %s, but %s is taken', id, first_seq, reached), 0
    from ranges where first_seq <= reached`,

  'no round-up is passed over': (db) => db<Finding[]>`
    with ranges as (
      select supporter_id, id, first_seq, max(last_seq) over (
        partition by supporter_id order by first_seq rows between unbounded preceding and 1 preceding) as reached
      from debit_ranges
    )
    select null as violation, count(*) as checked from ranges
    union all select format('debit %s starts at round-up %s, the last one taken before is %s', id, first_seq, coalesce(reached, 0)), 0
    from ranges where first_seq > coalesce(reached, 0) + 1 and not exists (
      select from bank_data_deletions gone where gone.supporter_id = ranges.supporter_id and gone.through_seq = first_seq - 1)
    and not exists (
      select from campaign_drops gone where gone.supporter_id = ranges.supporter_id and gone.through_seq = first_seq - 1)`,

  'each debit equals its round-ups less its refunds': (db) => db<Finding[]>`
    with covered as (
      select debit.id, debit.amount_cents - debit.represented_cents + debit.refunds_cents as own, (
        select coalesce(sum(counted_cents), 0) from round_ups
        where round_ups.supporter_id = debit.supporter_id and seq between debit.first_seq and debit.last_seq) as counted
      from debits debit join supporters supporter using (supporter_id)
      where kind = 'round-up' and coalesce(last_seq > deleted_through_seq, true)
    )
    select null as violation, count(*) as checked from covered
    union all select format('debit %s asks for %s, its round-ups are %s', id, own, counted), 0 from covered where own <> counted`,

  'each failed debit is re-presented at most once': (db) => db<Finding[]>`
    with representing as (
      select again.id, again.represented_cents - again.released_cents as represented_cents, (
        select coalesce(sum(failed.amount_cents - failed.released_cents), 0) from debits failed
        where failed.supporter_id = again.supporter_id and failed.represented_by = again.id) as failed_cents
      from debits again
    )
    select null as violation, count(*) as checked from representing
    union all select format('debit %s re-presents %s, the failed debits are %s', id, represented_cents, failed_cents), 0
    from representing where represented_cents <> failed_cents`,

  'only what failed is re-presented': (db) => db<Finding[]>`
    with representing as (select id, state from debits where represented_by is not null)
    select null as violation, count(*) as checked from representing
    union all select format('debit %s is %s and yet collected again', id, state), 0
    from representing where state not in ('returned', 'refused', 'deferred')`,

  'no week above its limit': (db) => db<Finding[]>`
    with running as (
      select supporter_id, seq, limit_cents, counted_cents, sum(counted_cents) over (
        partition by supporter_id, date_trunc('week', posted_on) order by seq) as week_cents
      from round_ups
    )
    select null as violation, count(*) as checked from running where limit_cents > 0
    union all select format('round-up %s of %s takes its week to %s, above %s', seq, supporter_id, week_cents, limit_cents), 0
    from running where limit_cents > 0 and counted_cents > 0 and week_cents > limit_cents`,

  'each state is booked with its amounts': (db) => db<Finding[]>`
    with expected as (
      select supporter_id, id as source, leg.kind::transfer_kind as kind, leg.account, sum(leg.cents)::bigint as cents
      from debits debit cross join lateral (
        select coalesce(sum(repayment.amount_cents), 0)::bigint as cents, coalesce(sum(repayment.savings_cents), 0)::bigint as savings
        from repayments repayment where repayment.supporter_id = debit.supporter_id and repayment.debit_id = debit.id
          and debit_claimed
      ) as claimed cross join lateral (values
        ('donation', 'pledged', amount_cents, debit.kind = 'donation'),
        ('donation', 'promised', -amount_cents, debit.kind = 'donation'),
        ('refunded', 'promised', refunds_cents, true),
        ('refunded', 'pledged', -refunds_cents, true),
        ('submitted', 'in_flight', amount_cents, state in ('submitted', 'cleared', 'returned', 'reversed')),
        ('submitted', 'pledged', -amount_cents, state in ('submitted', 'cleared', 'returned', 'reversed')),
        ('cleared', 'cash', amount_cents, state in ('cleared', 'reversed')),
        ('cleared', 'in_flight', -amount_cents, state in ('cleared', 'reversed')),
        ('cleared', 'promised', amount_cents, state in ('cleared', 'reversed')),
        ('cleared', 'club_payable', savings_cents - amount_cents, state in ('cleared', 'reversed')),
        ('cleared', 'savings', -savings_cents, state in ('cleared', 'reversed')),
        ('returned', case debit.kind when 'donation' then 'promised' else 'pledged' end, amount_cents, state = 'returned'),
        ('returned', 'in_flight', -amount_cents, state = 'returned'),
        ('reversed', 'cash', -amount_cents, state = 'reversed'),
        ('reversed', 'club_payable', amount_cents - savings_cents - (claimed.cents - claimed.savings), state = 'reversed'),
        ('reversed', 'savings', savings_cents - claimed.savings, state = 'reversed'),
        ('reversed', 'receivable_from_payer', claimed.cents, state = 'reversed'),
        ('refused', 'promised', amount_cents, state = 'refused' and debit.kind = 'donation'),
        ('refused', 'pledged', -amount_cents, state = 'refused' and debit.kind = 'donation')
      ) as leg (kind, account, cents, applies)
      where leg.applies and leg.cents <> 0
      group by 1, 2, 3, 4
    ), booked as (
      select supporter_id, source, kind,
        case when account::text like 'savings_%' then 'savings' else account::text end as account,
        sum(cents)::bigint as cents
      from ledger_entries where kind in ('donation', 'refunded', 'submitted', 'cleared', 'returned', 'reversed', 'refused')
      group by 1, 2, 3, 4
    ), compared as (
      select supporter_id, source, kind, account, coalesce(expected.cents, 0) as expected, coalesce(booked.cents, 0) as booked
      from expected full join booked using (supporter_id, source, kind, account)
    )
    select null as violation, count(*) as checked from compared
    union all select format('debit %s %s: %s should be %s, the journal says %s', source, kind, account, expected, booked), 0
    from compared where expected <> booked`,

  'what was asked for is with the club, set aside, in flight or returned': (db) => db<Finding[]>`
    with asked as (
      select supporter_id, sum(amount_cents)::bigint as asked,
        coalesce(sum(amount_cents) filter (where state = 'submitted'), 0)::bigint as in_flight,
        coalesce(sum(amount_cents) filter (where state in ('returned', 'reversed')), 0)::bigint as returned,
        coalesce(sum(amount_cents - savings_cents) filter (where state = 'cleared'), 0)::bigint as club,
        coalesce(sum(savings_cents) filter (where state = 'cleared'), 0)::bigint as savings
      from debits where state in ('submitted', 'cleared', 'returned', 'reversed') group by 1
    ), repaid as (
      select supporter_id, sum(amount_cents - savings_cents)::bigint as club from repayments
      where state in ('planned', 'submitting', 'submitted', 'cleared') and not debit_claimed group by 1
    ), booked as (
      select supporter_id, sum(cents) filter (where account = 'in_flight') as in_flight,
        sum(cents) filter (where account = 'cash') as cash,
        sum(cents) filter (where account = 'club_payable') as club
      from booked_balances group by 1
    ), compared as (
      select supporter_id, asked, asked.in_flight, returned, asked.club, savings, coalesce(booked.in_flight, 0) as booked_in_flight,
        coalesce(booked.cash, 0) as cash, coalesce(booked.club, 0) + coalesce(repaid.club, 0) as booked_club
      from asked left join booked using (supporter_id) left join repaid using (supporter_id)
    )
    select null as violation, count(*) as checked from compared
    union all select format('%s was asked for %s: in flight %s (booked %s), returned %s, club %s (booked %s), savings %s, cash %s',
      supporter_id, asked, in_flight, booked_in_flight, returned, club, booked_club, savings, cash), 0
    from compared where asked <> in_flight + returned + club + savings
      or in_flight <> booked_in_flight or club <> booked_club or club + savings <> cash`,
});

/** Invariants of debit runs over all their supporters. */
export const checksOfRuns = ofControl({
  'each run has asked for its debits': {
    reported: {
      columns: 'run_date date, debits bigint, cents bigint',
      select: (bucket, since) => bucket`
        select run_date, count(*), sum(amount_cents)::bigint from debits
        where kind = 'round-up' and run_date > coalesce(${since}::date, '-infinity') group by 1`,
    },
    find: (db, since) => db<Finding[]>`
      with planned as (
        select run_date, sum(debits)::bigint as debits, sum(cents)::bigint as cents from reported_by_buckets group by 1
      ), compared as (
        select run_date, coalesce(planned.debits, 0) as debits, coalesce(planned.cents, 0) as cents,
          coalesce(run.debits, 0) as run_debits, coalesce(run.cents, 0) as run_cents,
          run.run_date is not null and run.planned_at is null as is_begun -- its sum is written when it is released
        from planned full join (
          select * from debit_runs where run_date > coalesce(${since}::date, '-infinity')) run using (run_date)
      )
      select null as violation, count(*) as checked from compared
      union all select format('the run of %s has %s debits of %s, its total says %s of %s', run_date, debits, cents, run_debits,
        run_cents), 0
      from compared where (debits, cents) is distinct from (run_debits, run_cents) and not is_begun`,
  },
});
