import type { Db } from '#db/connect.ts';

export interface Audit {
  /** One sentence each, with the ids an operator needs. */
  violations: string[];
  /** How many things each check looked at. */
  checked: Record<string, number>;
}

interface Finding {
  violation: string | null;
  checked: number;
}

type Check = (db: Db) => Promise<Finding[]>;

/** The invariants of design 7.8. Each answers one row a violation, and one with how many things it looked at. */
const checks: Record<string, Check> = {
  'transfers sum to zero': (db) => db<Finding[]>`
    with transfer as (select supporter_id, kind, source, sum(cents) as sum from ledger_entries group by 1, 2, 3)
    select null as violation, count(*) as checked from transfer
    union all select format('transfer %s of %s sums to %s', kind, source, sum), 0 from transfer where sum <> 0`,

  'balances equal the journal': (db) => db<Finding[]>`
    with journal as (
      select supporter_id, account,
        sum(case when account in ('pledged', 'in_flight', 'cash') then cents else -cents end) as cents
      from ledger_entries group by 1, 2
    ), compared as (
      select supporter_id, account, journal.cents as journal, balance.cents as balance
      from journal full join ledger_balances balance using (supporter_id, account)
    )
    select null as violation, count(*) as checked from compared
    union all select format('%s of %s: the journal says %s, the balance %s', account, supporter_id, journal, balance), 0
    from compared where journal is distinct from balance`,

  'no account below zero': (db) => db<Finding[]>`
    select null as violation, count(*) as checked from ledger_balances
    union all select format('%s of %s is %s', account, supporter_id, cents), 0
    from ledger_balances where cents < 0 and account <> 'club_payable'`,

  'each round-up in at most one debit': (db) => db<Finding[]>`
    with ranges as (
      select supporter_id, id, first_seq, max(last_seq) over (
        partition by supporter_id order by first_seq rows between unbounded preceding and 1 preceding) as reached
      from debits where first_seq is not null
    )
    select null as violation, count(*) as checked from ranges
    union all select format('debit %s starts at round-up %s, but %s is taken', id, first_seq, reached), 0
    from ranges where first_seq <= reached`,

  'each debit equals its round-ups': (db) => db<Finding[]>`
    with covered as (
      select debit.id, debit.amount_cents - debit.repeats_cents as own, (
        select coalesce(sum(counted_cents), 0) from round_ups
        where round_ups.supporter_id = debit.supporter_id and seq between debit.first_seq and debit.last_seq) as counted
      from debits debit where kind = 'round-up'
    )
    select null as violation, count(*) as checked from covered
    union all select format('debit %s asks for %s, its round-ups are %s', id, own, counted), 0 from covered where own <> counted`,

  'each repeated debit is repeated once': (db) => db<Finding[]>`
    with repeated as (
      select again.id, again.repeats_cents, (
        select coalesce(sum(failed.amount_cents), 0) from debits failed
        where failed.supporter_id = again.supporter_id and failed.repeated_by = again.id) as failed_cents
      from debits again
    )
    select null as violation, count(*) as checked from repeated
    union all select format('debit %s repeats %s, the failed debits are %s', id, repeats_cents, failed_cents), 0
    from repeated where repeats_cents <> failed_cents`,

  'no week above its limit': (db) => db<Finding[]>`
    with running as (
      select supporter_id, seq, limit_cents, counted_cents, sum(counted_cents) over (
        partition by supporter_id, date_trunc('week', posted_on) order by seq) as week_cents
      from round_ups
    )
    select null as violation, count(*) as checked from running where limit_cents > 0
    union all select format('round-up %s of %s takes its week to %s, above %s', seq, supporter_id, week_cents, limit_cents), 0
    from running where limit_cents > 0 and counted_cents > 0 and week_cents > limit_cents`,

  'each state is booked': (db) => db<Finding[]>`
    with debit as (
      select supporter_id, id, state, kind,
        array_remove(array[
          case when kind = 'donation' then 'donation' end,
          case when state in ('submitted', 'cleared', 'returned', 'reversed') then 'submitted' end,
          case when state in ('cleared', 'reversed') then 'cleared' end,
          case when state = 'returned' then 'returned' end,
          case when state = 'reversed' then 'reversed' end,
          case when state = 'refused' and kind = 'donation' then 'refused' end
        ], null) as expected
      from debits
    ), booked as (
      select debit.id, debit.state, expected, (
        select coalesce(array_agg(distinct entry.kind::text), '{}') from ledger_entries entry
        where entry.supporter_id = debit.supporter_id and entry.source = debit.id) as found
      from debit
    )
    select null as violation, count(*) as checked from booked
    union all select format('debit %s is %s but booked as %s', id, state, found), 0 from booked
    where not (expected <@ found and found <@ expected)`,

  'club, savings, in flight and returned are what was collected': (db) => db<Finding[]>`
    with collected as (
      select supporter_id, sum(amount_cents) filter (where state in ('submitted', 'cleared', 'returned', 'reversed')) as asked,
        sum(amount_cents - savings_cents) filter (where state = 'cleared') as club,
        sum(savings_cents) filter (where state = 'cleared') as savings,
        sum(amount_cents) filter (where state = 'submitted') as in_flight,
        sum(amount_cents) filter (where state in ('returned', 'reversed')) as returned
      from debits group by supporter_id
    ), compared as (
      select supporter_id, coalesce(asked, 0) as asked,
        coalesce(club, 0) + coalesce(savings, 0) + coalesce(in_flight, 0) + coalesce(returned, 0) as accounted,
        coalesce(in_flight, 0) as in_flight, coalesce(club, 0) + coalesce(savings, 0) as kept,
        coalesce((select cents from ledger_balances b where b.supporter_id = collected.supporter_id and account = 'in_flight'), 0) as booked_in_flight,
        coalesce((select cents from ledger_balances b where b.supporter_id = collected.supporter_id and account = 'cash'), 0) as booked_cash
      from collected
    )
    select null as violation, count(*) as checked from compared
    union all select format('%s: asked for %s, accounted for %s; in flight %s booked %s; kept %s booked %s', supporter_id, asked,
      accounted, in_flight, booked_in_flight, kept, booked_cash), 0
    from compared where asked <> accounted or in_flight <> booked_in_flight or kept <> booked_cash`,
};

/** Checks the books. Reads only; at rest and while the product runs. */
export async function auditBooks(db: Db): Promise<Audit> {
  const audit: Audit = { violations: [], checked: {} };
  for (const [name, check] of Object.entries(checks)) {
    const findings = await check(db);
    audit.violations.push(
      ...findings.flatMap(({ violation }) => (violation === null ? [] : [`${name}: ${violation}`])),
    );
    audit.checked[name] = findings.reduce((sum, finding) => sum + finding.checked, 0);
  }
  return audit;
}
