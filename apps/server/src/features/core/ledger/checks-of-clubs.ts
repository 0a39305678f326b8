import { type Finding, ofControl } from './check.ts';
import { daySums } from './day-sums.ts';

/** Invariants between supporters' ledgers, clubs' ledgers and remittances (docs/rules.md#remittance). */
export const checksOfClubs = ofControl({
  'club transfers sum to zero': (db) => db<Finding[]>`
    with transfer as (select club_id, kind, source, sum(cents) as sum from club_entries group by 1, 2, 3)
    select null as violation, count(*) as checked from transfer
    union all select format('transfer %s %s of club %s sums to %s', kind, source, club_id, sum), 0 from transfer where sum <> 0`,

  'club balances equal their journal': (db) => db<Finding[]>`
    with journal as (
      select club_id, account, sum(case when account in ('collected', 'adjusted') then cents else -cents end) as cents
      from club_entries group by 1, 2
    ), compared as (
      select club_id, account, journal.cents as journal, balance.cents as balance
      from journal full join club_balances balance using (club_id, account)
    )
    select null as violation, count(*) as checked from compared
    union all select format('%s of club %s: the journal says %s, the balance %s', account, club_id, journal, balance), 0
    from compared where journal is distinct from balance`,

  'a club is below zero only after a reversal or a refund': {
    requested: {
      columns: 'club_id uuid',
      select: (db) => db`
        select distinct club_id from club_balances
        where cents < 0 and account not in ('adjusted', 'in_transit', 'remitted', 'reserved')`,
    },
    reported: {
      columns: 'club_id uuid',
      select: (bucket) => bucket`
        select club_id from requested_of_buckets where club_id in (
          select club_id from debits where state = 'reversed' or exists (
            select from repayments where repayments.supporter_id = debits.supporter_id and debit_id = debits.id))`,
    },
    find: (db) => db<Finding[]>`
      select null as violation, count(*) as checked from club_balances
      union all select format('%s of club %s is %s', account, club_id, cents), 0 from club_balances
      where cents < 0 and account <> 'adjusted' and (account in ('in_transit', 'remitted', 'reserved')
        or club_id not in (select club_id from reported_by_buckets))`,
  },

  'each closed day is rolled up': {
    reported: daySums,
    find: (db, since) => db<Finding[]>`
      with supporters_say as (
        select club as club_id, day as booked_on, -sum(cents)::bigint as cents from reported_by_buckets, closed_days
        where club is not null and day <= rolled_up_until group by 1, 2 having sum(cents) <> 0
      ), clubs_say as (
        select club_id, booked_on, sum(cents)::bigint as cents from club_entries
        where kind = 'collected' and account = 'collected' and booked_on > coalesce(${since}::date, '-infinity') group by 1, 2
      ), compared as (
        select club_id, booked_on, coalesce(supporters_say.cents, 0) as supporters, coalesce(clubs_say.cents, 0) as clubs
        from supporters_say full join clubs_say using (club_id, booked_on)
      )
      select null as violation, count(*) as checked from compared
      union all select format('%s of club %s: its supporters'' ledgers say %s, its own %s', booked_on, club_id, supporters, clubs), 0
      from compared where supporters <> clubs`,
  },

  'each remittance equals its days': (db) => db<Finding[]>`
    with paid as (
      select id, amount_cents - retried_cents + held_back_cents as own, (
        select coalesce(sum(cents), 0) from club_entries entry where entry.club_id = remittance.club_id
          and account in ('collected', 'adjusted') and booked_on between first_day and last_day) as collected
      from remittances remittance
    )
    select null as violation, count(*) as checked from paid
    union all select format('remittance %s pays and holds back %s, its days collected %s', id, own, collected), 0 from paid where own <> collected`,

  'each day is remitted once': (db) => db<Finding[]>`
    with day as (
      select entry.club_id, entry.booked_on, count(distinct remittance.id) as times,
        (select max(last_day) from remittances latest where latest.club_id = entry.club_id) as reached
      from club_entries entry left join remittances remittance on remittance.club_id = entry.club_id
        and entry.booked_on between remittance.first_day and remittance.last_day
      where entry.account in ('collected', 'adjusted') group by 1, 2
    )
    select null as violation, count(*) as checked from day
    union all select format('%s of club %s is in %s remittances', booked_on, club_id, times), 0
    from day where times > 1 or (times = 0 and booked_on <= reached)`,

  'what is held back from each remittance is in the reserve': (db) => db<Finding[]>`
    with booked as (
      select club_id, source, -sum(cents)::bigint as cents from club_entries
      where kind = 'reserved' and account = 'reserved' group by 1, 2
    ), compared as (
      select club_id, source, coalesce(held.cents, 0) as held, coalesce(booked.cents, 0) as booked from (
        select club_id, id::text as source, held_back_cents as cents from remittances where held_back_cents <> 0
      ) held full join booked using (club_id, source)
    )
    select null as violation, count(*) as checked from compared
    union all select format('remittance %s of club %s holds back %s, in the reserve are %s', source, club_id, held, booked), 0
    from compared where held <> booked`,

  'each failed remittance is retried at most once': (db) => db<Finding[]>`
    with retrying as (
      select again.id, again.retried_cents, (
        select coalesce(sum(failed.amount_cents), 0) from remittances failed where failed.retried_by = again.id) as failed_cents
      from remittances again
    )
    select null as violation, count(*) as checked from retrying
    union all select format('remittance %s retries %s, the failed ones are %s', id, retried_cents, failed_cents), 0
    from retrying where retried_cents <> failed_cents
    union all select format('remittance %s is %s and yet paid again', id, state), 0
    from remittances where retried_by is not null and state not in ('returned', 'reversed', 'refused')`,

  'each remittance is booked as its state says': (db) => db<Finding[]>`
    with expected as (
      select club_id, id::text as source, leg.kind::club_transfer_kind as kind, leg.cents
      from remittances cross join lateral (values
        ('planned', -amount_cents, true),
        ('refused', amount_cents, state = 'refused'),
        ('cleared', amount_cents, state in ('cleared', 'reversed')),
        ('returned', amount_cents, state = 'returned'),
        ('reversed', amount_cents, state = 'reversed')
      ) as leg (kind, cents, applies) where leg.applies
    ), booked as (
      select club_id, source, kind, sum(cents)::bigint as cents from club_entries
      where account = case kind when 'reversed' then 'remitted'::club_account else 'in_transit' end group by 1, 2, 3
    ), compared as (
      select club_id, source, kind, coalesce(expected.cents, 0) as expected, coalesce(booked.cents, 0) as booked
      from expected full join booked using (club_id, source, kind)
    )
    select null as violation, count(*) as checked from compared
    union all select format('%s %s of club %s should be %s, the journal says %s', kind, source, club_id, expected, booked), 0
    from compared where expected <> booked`,
});
