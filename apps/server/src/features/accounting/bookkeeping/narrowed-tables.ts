import type { Db } from '#db/connect.ts';
import type { Checks } from '#features/core/ledger/check.ts';
import { endOf, type Period } from './changed-rows.ts';

/** Returns the schema of the supporters' tables, in which an audit hides none of them. */
export async function schemaOf(tx: Db): Promise<string> {
  const [found] = await tx<{ schema: string }[]>`select quote_ident(current_schema()) as schema`;
  return found?.schema ?? '';
}

/** Tables of which an audit reads everything about its supporters. */
const wholeTables = ['accounts', 'ledger_balances', 'savings_accounts', 'supporters'];

/** Tables, and views that sum them, of which an audit may read a part. */
const partTables = [
  'bank_data_deletions',
  'booked_balances',
  'campaign_drops',
  'debit_ranges',
  'debits',
  'deposits',
  'ledger_entries',
  'purchase_refunds',
  'receipts',
  'recorded_cents',
  'repayments',
  'round_ups',
] as const;

/** Views for checks that have to see everybody's rows. */
const viewsOfEverybody = ['issued_receipts', 'whole_journal'];

/**
 * Returns, for each table that a check may read, the statement that selects the rows an audit reads: all of a
 * supporter's, or those that the period touched. Sums are reduced by the rows left out, so that the same sums must agree.
 */
export function narrowedTables(schema: string, period: Period | null): [name: string, rows: string][] {
  const rowsOf = (name: string, isRead: string) =>
    `select * from ${schema}.${name} where supporter_id in (select supporter_id from audited_supporters where ${isRead})`;
  const touched = period && touchedRows(schema, period);
  return [
    ...wholeTables.map((name): [string, string] => [name, rowsOf(name, 'true')]),
    ...partTables.map((name): [string, string] => [
      name,
      touched ? `${rowsOf(name, 'is_whole')} union all ${touched[name]}` : rowsOf(name, 'true'),
    ]),
  ];
}

/**
 * Throws for a check that names a table or view that is not listed here: it would read everybody's rows, and not those
 * of the audited supporters.
 */
export async function refuseUnlisted(tx: Db, checks: Checks): Promise<void> {
  const listed = new Set([...wholeTables, ...partTables, ...viewsOfEverybody]);
  const unlisted = new Set((await listRelations(tx)).filter((name) => !listed.has(name)));
  for (const [name, { find }] of Object.entries(checks)) {
    const read = namesIn(find(tx, null).compose([])).find((each) => unlisted.has(each));
    if (read) throw new Error(`The check "${name}" reads ${read}, which narrowed-tables.ts does not list.`);
  }
}

/** Lists tables and views by the names under which a statement can read them: with their schema, and without. */
async function listRelations(tx: Db): Promise<string[]> {
  const relations = await tx<{ name: string }[]>`
    with relation as (
      select relname, nspname from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where relkind in ('r', 'p', 'v', 'm', 'f') and nspname !~ '^pg_' and nspname <> 'information_schema'
    )
    select relname as name from relation where nspname = any(current_schemas(false))
    union select nspname || '.' || relname from relation`;
  return relations.map(({ name }) => name);
}

/** Returns the names in a statement, texts left out. */
const namesIn = (statement: string): string[] =>
  statement
    .replace(/'[^']*'/g, '')
    .replaceAll('"', '')
    .match(/[a-z_][a-z_0-9]*(?:\.[a-z_][a-z_0-9]*)?/g) ?? [];

/**
 * Selects the entries of the batch's touched debits, deposits and repayments, by the primary key. `offset 0` keeps the
 * planner from reading the whole journal instead.
 */
export const auditedEntries = (schema: string): string => `
  select each.* from ${changed}, lateral (
    select * from ${schema}.ledger_entries entry where entry.supporter_id = changed.supporter_id
      and entry.source = changed.id and entry.kind = any (enum_range(null::transfer_kind)) offset 0
  ) as each where not is_whole`;

const audited = 'audited_supporters audited';
const changed = `${audited} join changed_sources changed using (supporter_id)`;

/** Rows to read of each table, and of views that sum, for supporters who are read in part. */
function touchedRows(schema: string, { readAfter, plannedFrom }: Period): Record<(typeof partTables)[number], string> {
  const from = `'${endOf(readAfter).toISOString()}'::timestamptz`;
  const planned = `('${plannedFrom}'::timestamp at time zone 'Australia/Sydney')`;
  const byId = (table: string) => `
    select each.* from ${changed} join ${schema}.${table} each
      on each.supporter_id = changed.supporter_id and each.id = changed.id where not is_whole`;
  const fresh = `${audited} join ${schema}.round_ups each
    on each.supporter_id = audited.supporter_id and each.seq >= audited.first_seq where not is_whole`;
  const none = (table: string) => `select * from ${schema}.${table} where false`;
  return {
    ledger_entries: 'select * from audited_entries',
    debits: byId('debits'),
    deposits: byId('deposits'),
    repayments: byId('repayments'),
    round_ups: `select each.* from ${fresh}`,
    recorded_cents: `select each.supporter_id, each.counted_cents from ${fresh} and recorded_at >= ${from}`,
    purchase_refunds: `
      select each.* from ${audited} join ${schema}.purchase_refunds each using (supporter_id) where not is_whole
        and (taken_off_by is null or exists (select from changed_sources changed
          where changed.supporter_id = each.supporter_id and changed.id = taken_off_by))`,
    receipts: `
      select each.* from ${audited} join ${schema}.receipts each using (supporter_id) where not is_whole and issued_at >= ${from}`,
    bank_data_deletions: none('bank_data_deletions'),
    campaign_drops: none('campaign_drops'),
    debit_ranges: `
      select each.supporter_id, each.id, each.first_seq, each.last_seq from ${changed} join ${schema}.debits each
        on each.supporter_id = changed.supporter_id and each.id = changed.id
      where not is_whole and each.planned_at >= ${planned} and each.first_seq is not null
      union all
      select supporter_id, null, 1, reached from (select supporter_id, greatest(
        (select max(through_seq) from ${schema}.bank_data_deletions gone where gone.supporter_id = audited.supporter_id),
        (select max(through_seq) from ${schema}.campaign_drops gone where gone.supporter_id = audited.supporter_id),
        (select last_seq from ${schema}.debits each where each.supporter_id = audited.supporter_id
          and last_seq is not null and planned_at < ${planned} order by last_seq desc limit 1)) as reached
        from ${audited} where not is_whole) as before where reached > 0`,
    booked_balances: `
      select supporter_id, account, sum(cents)::bigint from (
        select balance.supporter_id, balance.account, balance.cents - closed_cents as cents, true as is_balance, false as is_listed
        from ${audited} join ${schema}.ledger_balances balance using (supporter_id) where not is_whole
        union all
        select entry.supporter_id, entry.account, -on_own_side(entry.account, entry.cents), false, false
        from ${audited} join recent_entries entry using (supporter_id)
        where not is_whole and entry.booked_on > audited.closed_until
        union all
        select supporter_id, account, on_own_side(account, cents), false, true from audited_entries
      ) as part group by 1, 2 having bool_or(is_balance) and (bool_or(is_listed) or sum(cents) <> 0)`,
  };
}
