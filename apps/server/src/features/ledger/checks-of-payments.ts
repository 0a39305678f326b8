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
};
