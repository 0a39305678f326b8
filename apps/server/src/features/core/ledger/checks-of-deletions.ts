import { maxDeferrals } from '@sparechange/domain';
import { type Finding, ofBuckets } from './check.ts';

/** Invariants of the deletion record once round-ups are gone (docs/rules.md#deletion-of-bank-data). */
export const checksOfDeletions = ofBuckets({
  'deleted round-ups are what their debits asked for': (db) => db<Finding[]>`
    with deletion as (
      select *, lag(through_seq, 1, 0::bigint) over (partition by supporter_id order by through_seq, deleted_at) as after_seq
      from bank_data_deletions where round_ups > 0
    ), compared as (
      select id, debited_cents, (
        select coalesce(sum(amount_cents - represented_cents + refunds_cents), 0) from debits
        where debits.supporter_id = deletion.supporter_id and last_seq > after_seq and last_seq <= through_seq) as asked
      from deletion
    )
    select null as violation, count(*) as checked from compared
    union all select format('deletion %s says that debits covered %s, they asked for %s', id, debited_cents, asked), 0
    from compared where debited_cents <> asked`,

  'a closed account collects nothing': (db) => db<Finding[]>`
    select null as violation, count(*) as checked from supporters where closed_on is not null
    union all select format('%s is closed and has an account to debit', supporter_id), 0
    from supporters join accounts using (supporter_id) where closed_on is not null and is_funding
    union all select format('%s is closed since %s and debit %s is planned', supporter_id, closed_on, id), 0
    from supporters join debits using (supporter_id) where closed_on is not null and state = 'planned'
    union all select format('%s is closed since %s and debit %s is of %s', supporter_id, closed_on, id, run_date), 0
    from supporters join debits using (supporter_id)
    where closed_on is not null and kind = 'round-up' and (planned_at at time zone 'Australia/Sydney')::date > closed_on`,

  'what a deletion or an ended campaign dropped is booked, and was never collected': (db) => db<Finding[]>`
    with failed as (
      select supporter_id, dropped_on as day, sum(amount_cents - released_cents) as cents from debits
      where dropped_on is not null and deferrals < ${maxDeferrals} group by 1, 2
    ), recorded as (
      select supporter_id, day, sum(dropped) as dropped, sum(waiting) as waiting from (
        select supporter_id, deleted_on as day, dropped_cents as dropped, counted_cents - debited_cents - dropped_before_cents as waiting
        from bank_data_deletions
        union all select supporter_id, dropped_on, counted_cents + failed_cents, counted_cents from campaign_drops
      ) record group by 1, 2
    ), booked as (
      select supporter_id, booked_on as day, -sum(cents) as cents from ledger_entries
      where kind = 'dropped' and account = 'pledged' and not exists (
        select from debits where debits.supporter_id = ledger_entries.supporter_id and debits.id = source) group by 1, 2
    ), compared as (
      select supporter_id, day, coalesce(dropped, 0) as dropped,
        coalesce(waiting, 0) + coalesce(failed.cents, 0) as uncollected, coalesce(booked.cents, 0) as booked
      from recorded full join booked using (supporter_id, day) full join failed using (supporter_id, day)
    )
    select null as violation, count(*) as checked from compared
    union all select format('on %s %s of %s was dropped: uncollected was %s, the journal says %s', day, dropped, supporter_id,
      uncollected, booked), 0
    from compared where dropped <> uncollected or dropped <> booked`,
});
