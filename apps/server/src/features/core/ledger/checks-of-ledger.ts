import type { Db } from '#db/connect.ts';
import { hasSupporters, isOfOneBucket } from '#db/scope.ts';
import { bucketTables, controlTables } from '#db/table-homes.ts';
import { type Finding, ofBoth, ofBuckets } from './check.ts';

/** Returns tables that do not belong in this database: control's in a bucket, or a bucket's in control. */
const tablesElsewhere = ({ scope }: Db): string[] =>
  isOfOneBucket(scope) ? controlTables : hasSupporters(scope) ? [] : bucketTables;

/** Checks that each supporter's transfers sum to zero and that the kept balances equal the journal. */
export const checksOfLedger = ofBuckets({
  'transfers sum to zero': (db) => db<Finding[]>`
    with transfer as (select supporter_id, kind, source, sum(cents) as sum from ledger_entries group by 1, 2, 3)
    select null as violation, count(*) as checked from transfer
    union all select format('transfer %s of %s sums to %s', kind, source, sum), 0 from transfer where sum <> 0`,

  'balances equal the journal': (db) => db<Finding[]>`
    with journal as (
      select supporter_id, account, sum(on_own_side(account, cents)) as cents
      from ledger_entries group by 1, 2
    ), compared as (
      select supporter_id, account, journal.cents as journal, balance.cents as balance
      from journal full join booked_balances balance using (supporter_id, account)
    )
    select null as violation, count(*) as checked from compared
    union all select format('%s of %s: the journal says %s, the balance %s', account, supporter_id, journal, balance), 0
    from compared where journal is distinct from balance`,

  'no account below zero': (db) => db<Finding[]>`
    select null as violation, count(*) as checked from ledger_balances
    union all select format('%s of %s is %s', account, supporter_id, cents), 0
    from ledger_balances where cents < 0 and account <> 'club_payable'`,
});

/** Checks closed balances against the journal. A nightly audit starts from them; only a full audit recomputes them. */
export const checksOfHistory = ofBuckets({
  'closed balances equal the journal': (db) => db<Finding[]>`
    with closed as (
      select supporter_id, max(closed_until) as closed_until from ledger_balances group by 1
    ), journal as (
      select supporter_id, account, sum(on_own_side(account, cents)) as cents
      from ledger_entries join closed using (supporter_id) where booked_on <= closed_until group by 1, 2
    ), compared as (
      select supporter_id, account, coalesce(journal.cents, 0) as journal, coalesce(closed_cents, 0) as closed
      from journal full join (
        select supporter_id, account, closed_cents from ledger_balances where closed_until is not null
      ) balance using (supporter_id, account)
    )
    select null as violation, count(*) as checked from compared
    union all select format('%s of %s: the journal says %s until it was closed, the balance %s', account, supporter_id, journal, closed), 0
    from compared where journal <> closed`,
});

/** Triggers by table that keep it append-only, or its balances and chains in step with it. */
export const guards: Record<string, string[]> = {
  ledger_entries: ['ledger_append_only', 'ledger_never_emptied', 'ledger_balances_kept'],
  club_entries: ['club_entries_append_only', 'club_entries_never_emptied', 'club_balances_kept'],
  platform_entries: ['platform_entries_append_only', 'platform_entries_never_emptied', 'platform_balances_kept'],
  receipts: ['receipts_append_only', 'receipts_never_emptied'],
  remittance_advices: ['remittance_advices_kept', 'remittance_advices_never_emptied'],
  audit_log: ['audit_log_append_only', 'audit_log_never_emptied', 'audit_log_chained'],
  audit_links: ['audit_links_append_only', 'audit_links_never_emptied'],
  audit_heads: ['audit_heads_kept', 'audit_heads_forward'],
  audit_checkpoints: ['audit_checkpoints_append_only', 'audit_checkpoints_never_emptied'],
  bank_data_deletions: ['bank_data_deletions_append_only', 'bank_data_deletions_never_emptied'],
  campaign_drops: ['campaign_drops_append_only', 'campaign_drops_never_emptied'],
  direct_debit_texts: ['direct_debit_texts_append_only', 'direct_debit_texts_never_emptied'],
  tenant_versions: ['tenant_versions_append_only', 'tenant_versions_never_emptied'],
};

const listedGuards = Object.entries(guards).flatMap(([table, triggers]) =>
  triggers.map((trigger) => ({ table, trigger })),
);

export const checksOfGuards = ofBoth({
  'journals are append-only': (db) => db<Finding[]>`
    with guarded as (
      select table_name, trigger_name
      from unnest(${listedGuards.map(({ table }) => table)}::text[], ${listedGuards.map(({ trigger }) => trigger)}::text[])
        as guard (table_name, trigger_name)
      where table_name <> all(${tablesElsewhere(db)}::text[])
    )
    select null as violation, count(*) as checked from guarded
    union all select format('the trigger %s of %s is off', trigger_name, table_name), 0 from guarded
    where not exists (select from pg_trigger
        where tgname = trigger_name and tgrelid = to_regclass(table_name) and tgenabled in ('O', 'A'))
      or exists (select from pg_trigger whole join pg_trigger part on part.tgparentid = whole.oid
        where whole.tgname = trigger_name and whole.tgrelid = to_regclass(table_name) and part.tgenabled not in ('O', 'A'))`,
});
