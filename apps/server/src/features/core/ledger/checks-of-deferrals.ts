import { maxDeferrals } from '@sparechange/domain';
import { type Finding, ofBuckets } from './check.ts';

/** Invariants of debits that the low-balance check deferred (docs/decisions/debit-run.md#low-balance). */
export const checksOfDeferrals = ofBuckets({
  'what has waited three runs is dropped, once, and nothing else': (db) => db<Finding[]>`
    with overdue as (
      select supporter_id, id, amount_cents - released_cents as cents, dropped_on from debits where deferrals >= ${maxDeferrals}
    ), booked as (
      select entry.supporter_id, source as id, -sum(cents) as cents from ledger_entries entry
      join debits on debits.supporter_id = entry.supporter_id and debits.id = source
      where entry.kind = 'dropped' and account = 'pledged' group by 1, 2
    ), compared as (
      select id, coalesce(overdue.cents, 0) as cents, coalesce(booked.cents, 0) as booked,
        overdue.id is not null and dropped_on is null as is_open
      from overdue full join booked using (supporter_id, id)
    )
    select null as violation, count(*) as checked from compared
    union all select format('debit %s has waited three runs with %s, the journal dropped %s', id, cents, booked), 0
    from compared where cents <> booked or is_open`,

  'a debit that waited was never asked for': (db) => db<Finding[]>`
    with deferred as (
      select id, provider_ref, submitting_at, deferrals, exists (
        select from ledger_entries entry where entry.supporter_id = debits.supporter_id and entry.source = debits.id
          and entry.kind in ('submitted', 'cleared', 'returned', 'reversed')) as is_booked
      from debits where state = 'deferred'
    )
    select null as violation, count(*) as checked from deferred
    union all select format('debit %s waited, and yet was asked for', id), 0
    from deferred where provider_ref is not null or submitting_at is not null or is_booked or deferrals = 0`,
});
