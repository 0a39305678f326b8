import type { Checks, Finding } from './check.ts';

/** Invariants of debit runs over all their supporters. */
export const checksOfRuns: Checks = {
  'each run has asked for its debits': (db, since) => db<Finding[]>`
    with planned as (
      select run_date, count(*) as debits, sum(amount_cents)::bigint as cents from debits
      where kind = 'round-up' and run_date > coalesce(${since}::date, '-infinity') group by 1
    ), compared as (
      select run_date, coalesce(planned.debits, 0) as debits, coalesce(planned.cents, 0) as cents,
        coalesce(run.debits, 0) as run_debits, coalesce(run.cents, 0) as run_cents
      from planned full join (
        select * from debit_runs where run_date > coalesce(${since}::date, '-infinity')) run using (run_date)
    )
    select null as violation, count(*) as checked from compared
    union all select format('the run of %s has %s debits of %s, its total says %s of %s', run_date, debits, cents, run_debits,
      run_cents), 0
    from compared where (debits, cents) is distinct from (run_debits, run_cents)`,
};
