import { beforeAll, expect, test } from 'vitest';
import { ownDatabase } from '#testing/database.ts';
import { type SourceStatement, statementsInSources } from '#testing/sql-in-sources.ts';
import { bucketTables, controlTables, referenceTables, sharedTables } from './table-homes.ts';

const database = ownDatabase();

/** Relations by table, view or function: those that a statement naming it touches. */
const reached = new Map<string, Set<string>>();
/** Tables that triggers touch, by the table that is written. */
const triggered = new Map<string, Set<string>>();

const names = String.raw`((?:identity|direct_entry|pgboss|public)\.\w+|\w+)`;

/** Returns a statement without its comments and texts. */
const bare = (text: string) =>
  text
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .toLowerCase();

const found = (text: string, pattern: string) =>
  [...text.matchAll(new RegExp(pattern, 'g'))].map(([, name = '']) => name.replace(/^public\./, ''));

const writtenIn = (text: string) =>
  found(text, `(?:insert into|merge into|(?<!for |do )update|delete from)\\s+(?:only\\s+)?${names}`);

/** Returns the relations and functions named where a relation or a call stands. */
const namedIn = (text: string) => [
  ...found(text, `(?:from|join|into|(?<!for |do )update|using)\\s+(?:only\\s+|lateral\\s+|\\(+)?${names}`),
  ...found(text, `from\\s+[\\w.]+(?:\\s+(?:as\\s+)?\\w+)?\\s*,\\s*${names}`),
  ...found(text, `${names}\\s*\\(`),
];

/** Returns the tables that a statement reads or writes, through views, functions and triggers. */
function tablesOf(statement: string): { read: Set<string>; written: Set<string> } {
  const text = bare(statement);
  const written = new Set(writtenIn(text).filter((name) => reached.has(name)));
  const byTrigger = [...written].flatMap((name) => [...(triggered.get(name) ?? [])]);
  const read = new Set([...namedIn(text).flatMap((name) => [...(reached.get(name) ?? [])]), ...byTrigger]);
  return { read, written };
}

beforeAll(async () => {
  const { pool } = database;
  const tables = await pool<{ name: string }[]>`
    select case nspname when 'public' then '' else nspname || '.' end || relname as name
    from pg_class join pg_namespace space on space.oid = relnamespace
    where relkind in ('r', 'p') and not relispartition and nspname in ('public', 'identity', 'direct_entry')`;
  for (const { name } of tables) reached.set(name, new Set([name]));
  const views = await pool<{ name: string; tables: string[] }[]>`
    select view.relname as name, array_agg(distinct used.relname::text) as tables
    from pg_class view join pg_rewrite rule on rule.ev_class = view.oid
    join pg_depend depend on depend.objid = rule.oid and depend.refclassid = 'pg_class'::regclass
    join pg_class used on used.oid = depend.refobjid and used.relkind in ('r', 'p')
    where view.relkind = 'v' and view.relnamespace = 'public'::regnamespace group by 1`;
  for (const view of views) reached.set(view.name, new Set(view.tables));
  const routines = await pool<{ name: string; text: string }[]>`
    select proname as name, pg_get_functiondef(oid) as text from pg_proc where pronamespace = 'public'::regnamespace and prokind = 'f'`;
  // As often as functions call each other at most.
  for (let depth = 0; depth < 4; depth += 1)
    for (const { name, text } of routines) {
      const { read, written } = tablesOf(
        text.replace(/^[\s\S]*?(?=\$function\$|begin atomic|return )/i, '').toLowerCase(),
      );
      reached.set(name, new Set([...(reached.get(name) ?? []), ...read, ...written]));
    }
  const triggers = await pool<{ table: string; routine: string }[]>`
    select relname as table, proname as routine
    from pg_trigger join pg_class on pg_class.oid = tgrelid join pg_proc on pg_proc.oid = tgfoid where not tgisinternal`;
  for (const { table, routine } of triggers)
    triggered.set(table, new Set([...(triggered.get(table) ?? []), ...(reached.get(routine) ?? [])]));
});

test('every table has one home', async () => {
  const tables = [...reached].filter(([name, itself]) => itself.size === 1 && itself.has(name)).map(([name]) => name);
  const listed = [...bucketTables, ...referenceTables, ...sharedTables, ...controlTables];
  expect(tables.filter((name) => !name.includes('.')).sort()).toEqual(listed.sort());
});

const isControl = (name: string) => controlTables.includes(name) || name.includes('.');

/** Returns whether a statement touches a bucket and control, or writes what its bucket may only read. */
function leavesBucket({ text }: SourceStatement): boolean {
  const { read, written } = tablesOf(text);
  const all = [...read, ...written];
  const isOfBucket = all.some((name) => bucketTables.includes(name));
  return isOfBucket && (all.some(isControl) || [...written].some((name) => referenceTables.includes(name)));
}

test('a statement touches one bucket and reference tables, or control tables alone', () => {
  const leaving = statementsInSources().filter(leavesBucket);
  expect(leaving.map(({ file, line }) => `${file}:${line}`)).toEqual([]);
});

test.each([
  ['select 1 from debits join clubs using (club_id)', false],
  ['select 1 from debit_runs, remittances', false],
  ['insert into mails (key) select name from alarms', false],
  ["insert into alarms (name) values ('from debits')", false],
  ['select 1 from debits, debit_runs', true],
  ['update debits set state = $ from debit_runs run', true],
  ['with a as (select 1 from shown_accounts) select 1 from a join identity.users on true', true],
  ['with a as (update clubs set name = $ returning id) select 1 from debits join a on true', true],
  ['select debit_within(confirmed_by, $) from debit_runs', true],
  ['insert into club_entries select 1 from ledger_entries', true],
])('%s: reaches beyond its bucket %s', (text, leaves) => {
  expect(leavesBucket({ file: '', line: 0, text })).toBe(leaves);
});
