import { type Finding, ofBuckets } from './check.ts';

/** Invariants between the set-aside and its deposits (docs/rules.md#monthly-deposit). */
export const checksOfSavings = ofBuckets({
  'what was set aside is there, on its way or deposited': (db) => db<Finding[]>`
    with halves as (
      select supporter_id, sum(cents)::bigint as cents from (
        select supporter_id, savings_cents as cents from debits where state = 'cleared' and savings_cents > 0
        union all select supporter_id, -savings_cents from repayments
        where state in ('planned', 'submitting', 'submitted', 'cleared') and not debit_claimed and savings_cents > 0
      ) half group by 1
    ), booked as (
      select supporter_id, sum(case account when 'savings_recoverable' then -cents else cents end)::bigint as cents
      from booked_balances where account in ('savings_payable', 'savings_depositing', 'savings_deposited', 'savings_recoverable')
      group by 1
    ), compared as (
      select supporter_id, coalesce(halves.cents, 0) as halves, coalesce(booked.cents, 0) as booked
      from halves full join booked using (supporter_id)
    )
    select null as violation, count(*) as checked from compared
    union all select format('%s: the halves of cleared debits are %s, the savings accounts hold %s', supporter_id, halves, booked), 0
    from compared where halves <> booked`,

  'deposits are what is on its way or has arrived': (db) => db<Finding[]>`
    with made as (
      select supporter_id,
        coalesce(sum(amount_cents) filter (where state in ('planned', 'submitting', 'submitted')), 0)::bigint as depositing,
        coalesce(sum(amount_cents) filter (where state = 'cleared'), 0)::bigint as deposited
      from deposits group by 1
    ), booked as (
      select supporter_id, coalesce(sum(cents) filter (where account = 'savings_depositing'), 0) as depositing,
        coalesce(sum(cents) filter (where account = 'savings_deposited'), 0) as deposited
      from booked_balances where account in ('savings_depositing', 'savings_deposited') group by 1
    ), compared as (
      select supporter_id, coalesce(made.depositing, 0) as depositing, coalesce(booked.depositing, 0) as booked_depositing,
        coalesce(made.deposited, 0) as deposited, coalesce(booked.deposited, 0) as booked_deposited
      from made full join booked using (supporter_id)
    )
    select null as violation, count(*) as checked from compared
    union all select format('%s: on its way %s (booked %s), deposited %s (booked %s)',
      supporter_id, depositing, booked_depositing, deposited, booked_deposited), 0
    from compared where depositing <> booked_depositing or deposited <> booked_deposited`,

  'each deposit is booked as its state says': (db) => db<Finding[]>`
    with expected as (
      select supporter_id, id as source, leg.kind::transfer_kind as kind, leg.cents
      from deposits cross join lateral (values
        ('deposit_planned', -amount_cents, true),
        ('deposit_refused', amount_cents, state = 'refused'),
        ('deposit_cleared', amount_cents, state in ('cleared', 'reversed')),
        ('deposit_returned', amount_cents, state = 'returned'),
        ('deposit_reversed', amount_cents, state = 'reversed')
      ) as leg (kind, cents, applies) where leg.applies
    ), booked as (
      select supporter_id, source, kind, sum(cents)::bigint as cents from ledger_entries
      where kind in ('deposit_planned', 'deposit_refused', 'deposit_cleared', 'deposit_returned')
          and account = 'savings_depositing' or kind = 'deposit_reversed' and account = 'savings_deposited'
      group by 1, 2, 3
    ), compared as (
      select supporter_id, source, kind, coalesce(expected.cents, 0) as expected, coalesce(booked.cents, 0) as booked
      from expected full join booked using (supporter_id, source, kind)
    )
    select null as violation, count(*) as checked from compared
    union all select format('%s %s of %s should be %s, the journal says %s', kind, source, supporter_id, expected, booked), 0
    from compared where expected <> booked`,

  'nothing is set aside while something is to be recovered': (db) => db<Finding[]>`
    with savers as (
      select supporter_id, sum(cents) filter (where account = 'savings_payable') as payable,
        sum(cents) filter (where account = 'savings_recoverable') as recoverable
      from ledger_balances where account in ('savings_payable', 'savings_recoverable') group by 1
    )
    select null as violation, count(*) as checked from savers
    union all select format('%s has %s set aside and %s to be recovered', supporter_id, payable, recoverable), 0
    from savers where payable > 0 and recoverable > 0`,

  'a changed savings account receives nothing before its day': (db) => db<Finding[]>`
    with paid as (
      select supporter_id, deposit.id, savings.receives_from,
        (deposit.submitting_at at time zone 'Australia/Sydney')::date as paid_on
      from deposits deposit join savings_accounts savings using (supporter_id)
      where deposit.account_linked_at = savings.linked_at and savings.receives_from is not null
        and deposit.submitting_at is not null
    )
    select null as violation, count(*) as checked from paid
    union all select format('deposit %s of %s went out on %s, its account receives from %s on', id, supporter_id, paid_on,
      receives_from), 0
    from paid where paid_on < receives_from`,
});
