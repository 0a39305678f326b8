import { type Finding, ofBuckets } from './check.ts';

/** Invariants of debits that were repaid to their payers (docs/decisions/savings-and-refunds.md#refunds-of-debits). */
export const checksOfRepayments = ofBuckets({
  'no more is given back of a debit than it took': (db) => db<Finding[]>`
    with repaid as (
      select debit.id, debit.amount_cents as taken, debit.savings_cents as aside, debit.state,
        sum(repayment.amount_cents)::bigint as cents, sum(repayment.savings_cents)::bigint as savings
      from repayments repayment join debits debit on debit.supporter_id = repayment.supporter_id and debit.id = repayment.debit_id
      where repayment.state in ('planned', 'submitting', 'submitted', 'cleared')
      group by debit.supporter_id, debit.id, debit.amount_cents, debit.savings_cents, debit.state
    )
    select null as violation, count(*) as checked from repaid
    union all select format('debit %s took %s and %s is given back', id, taken, cents), 0
    from repaid where cents > taken or savings > aside or cents - savings > taken - aside
    union all select format('debit %s is %s and yet given back', id, state), 0
    from repaid where state not in ('cleared', 'reversed')`,

  'each repayment is booked as its state says': (db) => db<Finding[]>`
    with expected as (
      select repayment.supporter_id, repayment.id as source, leg.kind::transfer_kind as kind, leg.account, sum(leg.cents)::bigint as cents
      from repayments repayment cross join lateral (values
        ('repayment_planned', 'repaying', -amount_cents, true),
        ('repayment_planned', 'club_payable', amount_cents - savings_cents, true),
        ('repayment_planned', 'savings', savings_cents, true),
        ('repayment_refused', 'repaying', amount_cents, state = 'refused'),
        ('repayment_returned', 'repaying', amount_cents, state = 'returned'),
        ('repayment_cleared', 'repaying', amount_cents, state in ('cleared', 'reversed')),
        ('repayment_cleared', 'repaid', -amount_cents, state in ('cleared', 'reversed')),
        ('repayment_reversed', 'repaid', amount_cents, state = 'reversed'),
        ('repayment_' || state, 'club_payable', savings_cents - amount_cents,
          state in ('refused', 'returned', 'reversed') and not debit_claimed),
        ('repayment_' || state, 'savings', -savings_cents, state in ('refused', 'returned', 'reversed') and not debit_claimed),
        ('repayment_' || state, 'receivable_from_payer', -amount_cents,
          state in ('refused', 'returned', 'reversed') and debit_claimed)
      ) as leg (kind, account, cents, applies)
      where leg.applies and leg.cents <> 0 group by 1, 2, 3, 4
    ), booked as (
      select supporter_id, source, kind,
        case when account::text like 'savings_%' then 'savings' else account::text end as account, sum(cents)::bigint as cents
      from ledger_entries
      where kind in ('repayment_planned', 'repayment_refused', 'repayment_cleared', 'repayment_returned', 'repayment_reversed')
      group by 1, 2, 3, 4
    ), compared as (
      select supporter_id, source, kind, account, coalesce(expected.cents, 0) as expected, coalesce(booked.cents, 0) as booked
      from expected full join booked using (supporter_id, source, kind, account)
    )
    select null as violation, count(*) as checked from compared
    union all select format('%s %s of %s: %s should be %s, the journal says %s', kind, source, supporter_id, account, expected, booked), 0
    from compared where expected <> booked`,
});
