import type { IsoDate } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import { type Finding, ofBuckets, ofControl } from './check.ts';

/** Checks our payments against the provider's as far as our own books can tell; `ops reconcile` asks the provider. */
export const checksOfPayments = ofBuckets({
  'each payment is one of the provider': (db) => db<Finding[]>`
    with payment as (
      select id, state::text, provider_ref from debits
      union all select id, state::text, provider_ref from deposits
      union all select id, state::text, provider_ref from repayments
    ), sent as (
      select * from payment where provider_ref is not null or state in ('submitted', 'cleared', 'returned', 'reversed')
    )
    select null as violation, count(*) as checked from sent
    union all select format('payment %s is %s without a reference of the provider', id, state), 0
    from sent where provider_ref is null`,

  'a parked payment is being submitted and has no answer': (db) => db<Finding[]>`
    with payment as (
      select id, state::text, provider_ref, submitting_at, unknown_since, parked_at from debits
      union all select id, state::text, provider_ref, submitting_at, unknown_since, parked_at from deposits
      union all select id, state::text, provider_ref, submitting_at, unknown_since, parked_at from repayments
    ), parked as (select * from payment where parked_at is not null)
    select null as violation, count(*) as checked from parked
    union all select format('payment %s is parked and %s', id, state), 0 from parked where state <> 'submitting'
    union all select format('payment %s is parked although the provider has it as %s', id, provider_ref), 0
    from parked where provider_ref is not null
    union all select format('payment %s is parked and was never asked for', id), 0
    from parked where submitting_at is null or unknown_since is null`,
});

/** Days for which a payment may wait for its submission. */
const lookBackDays = 10;

const isRecent = (db: Db, since: IsoDate | null) =>
  db`(${since}::date is null or planned_at >= ${since}::date - ${lookBackDays}::integer)`;

/** Payments of a period, against all others of their bucket and of clubs, and against other buckets in a full audit. */
export const checksOfAllPayments = ofControl({
  'no two payments share a reference of the provider': {
    requested: {
      columns: 'provider_ref text',
      select: (db, since) =>
        db`select provider_ref from remittances where provider_ref is not null and ${isRecent(db, since)}`,
    },
    reported: {
      columns: 'provider_ref text, bearers bigint, id text',
      select: (bucket, since) => bucket`
        with payment as not materialized (
          select id, provider_ref, planned_at from debits where provider_ref is not null
          union all select id, provider_ref, planned_at from deposits where provider_ref is not null
          union all select id, provider_ref, planned_at from repayments where provider_ref is not null
        ), looked_at as (
          select provider_ref from payment where ${isRecent(bucket, since)}
          union all select provider_ref from requested_of_buckets
        )
        select provider_ref, count(distinct payment.id), min(payment.id::text)
        from looked_at join payment using (provider_ref) group by 1`,
    },
    find: (db) => db<Finding[]>`
      with bearers as (
        select provider_ref, sum(bearers) as bearers, min(id) as id from (
          select provider_ref, bearers, id from reported_by_buckets
          union all select provider_ref, 1, id::text from remittances where provider_ref is not null
        ) as part group by 1
      )
      select null as violation, count(*) as checked from bearers
      union all select format('payment %s shares the provider''s %s with another one', id, provider_ref), 0
      from bearers where bearers > 1`,
  },

  'each remittance sent is one of the provider': (db) => db<Finding[]>`
    with sent as (
      select id, state, provider_ref, submitting_at, unknown_since, parked_at from remittances
      where provider_ref is not null or parked_at is not null or state in ('submitted', 'cleared', 'returned', 'reversed')
    )
    select null as violation, count(*) as checked from sent
    union all select format('remittance %s is %s without a reference of the provider', id, state), 0
    from sent where provider_ref is null and parked_at is null
    union all select format('remittance %s is parked and %s, with %s of the provider', id, state, coalesce(provider_ref, 'nothing')), 0
    from sent where parked_at is not null
      and (state <> 'submitting' or provider_ref is not null or submitting_at is null or unknown_since is null)`,
});
