import type { Checks, Finding } from './check.ts';

/** Ours and the provider's payments, as far as our own books can tell; `ops reconcile` asks the provider. */
export const checksOfPayments: Checks = {
  'each payment is one of the provider': (db) => db<Finding[]>`
    with payment as (
      select id, state::text, provider_ref from debits
      union all select id, state::text, provider_ref from deposits
      union all select id, state::text, provider_ref from remittances
      union all select id, state::text, provider_ref from repayments
    ), sent as (
      select payment.*, count(*) over (partition by provider_ref) as bearers from payment
      where provider_ref is not null or state in ('submitted', 'cleared', 'returned', 'reversed')
    )
    select null as violation, count(*) as checked from sent
    union all select format('payment %s is %s without a reference of the provider', id, state), 0
    from sent where provider_ref is null
    union all select format('payment %s shares the provider''s %s with another one', id, provider_ref), 0
    from sent where provider_ref is not null and bearers > 1`,

  'a parked payment is being submitted and has no answer': (db) => db<Finding[]>`
    with payment as (
      select id, state::text, provider_ref, submitting_at, unknown_since, parked_at from debits
      union all select id, state::text, provider_ref, submitting_at, unknown_since, parked_at from deposits
      union all select id, state::text, provider_ref, submitting_at, unknown_since, parked_at from remittances
      union all select id, state::text, provider_ref, submitting_at, unknown_since, parked_at from repayments
    ), parked as (select * from payment where parked_at is not null)
    select null as violation, count(*) as checked from parked
    union all select format('payment %s is parked and %s', id, state), 0 from parked where state <> 'submitting'
    union all select format('payment %s is parked although the provider has it as %s', id, provider_ref), 0
    from parked where provider_ref is not null
    union all select format('payment %s is parked and was never asked for', id), 0
    from parked where submitting_at is null or unknown_since is null`,
};
