import pg from 'pg';
import type { Db } from '#db/connect.ts';
import { bucketTables, sharedTables } from '#db/table-homes.ts';
import { checks } from '#features/core/ledger/audit-books.ts';
import { checksOfIdentity } from '#features/core/ledger/checks-of-identity.ts';
import { aDatabase } from './database.ts';
import { readTree } from './node-tree.ts';
import { addTablesOfSession, type Catalogue, problemsOf, readCatalogue } from './refused-by-citus.ts';
import { findSender } from './sql-in-sources.ts';

/** Statements of the product that tests have sent and nobody has looked at yet, with their senders. */
const unread = new Map<string, string>();
const seen = new Set<string>();
/** The statements each connection has sent in its open transaction. */
const transactions = new WeakMap<object, Set<string>>();

const isOneStatement = (text: string): boolean =>
  /^\s*(?:--.*\n\s*)*\(?(?:with|select|insert|update|delete|merge)\b/i.test(text) && !/;\s*\S/.test(text);

/** Functions that write to a bucket as their owner. Triggers are left out: each node runs its own. */
const ofOwner = /\b(?:mark_audit_chains|add_audit_checkpoint)\(/;
const ofBucket = new RegExp(
  String.raw`\b(?:insert into|update|delete from) (?:only )?(?:${[...bucketTables, ...sharedTables].join('|')})\b`,
);

/** Returns why a transaction is refused: Citus takes a role for each connection to a node, and one of them for each bucket. */
export function problemsOfTransaction(texts: Iterable<string>): string[] {
  const [functions, writes] = [
    [...texts].filter((text) => ofOwner.test(text)),
    [...texts].filter((text) => ofBucket.test(text)),
  ];
  return functions.length > 0 && writes.length > 0 ? ['two roles write to a bucket in one transaction'] : [];
}

function note(client: object, sent: unknown): void {
  const text = typeof sent === 'string' ? sent : (sent as { text?: string } | undefined)?.text;
  if (text === undefined) return;
  noteInTransaction(client, text);
  if (seen.has(text)) return;
  seen.add(text);
  const sender = isOneStatement(text) ? findSender(text) : undefined;
  if (sender) unread.set(text, sender);
}

const refusedTransactions = new Set<string>();

function noteInTransaction(client: object, text: string): void {
  if (text.startsWith('begin')) transactions.set(client, new Set());
  const texts = transactions.get(client)?.add(text);
  if (!texts || (text !== 'commit' && text !== 'rollback')) return;
  transactions.delete(client);
  const [problem] = problemsOfTransaction(texts);
  const last = [...texts].findLast((each) => ofBucket.test(each)) ?? '';
  const sender = problem && findSender(last); // undefined where a test writes
  if (sender) refusedTransactions.add(`${sender}: ${problem}`);
}

let isWatching = false;

/** Has every statement noted that this process sends to a database; again, it changes nothing. */
export function watchStatements(): void {
  if (isWatching) return;
  isWatching = true;
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    note(this, args[0]);
    return Reflect.apply(query, this, args);
  } as typeof query;
}

/**
 * Returns a statement's parse tree: that of a function with its text, which is not kept. It is empty for what names a table
 * or function that migrations do not make, as those of the queues and of Citus itself, and for a statement of more than the
 * hundred parameters that a function may have: the same one was sent with fewer rows.
 */
const treeOfStatement = `
  create function tree_of_statement(statement text) returns text language plpgsql as $$
  declare
    types text;
    tree text;
  begin
    -- A statement stays prepared in a transaction that fails.
    if exists (select from pg_prepared_statements where name = 'asked') then
      deallocate asked;
    end if;
    begin
      execute 'prepare asked as ' || statement;
      select array_to_string(parameter_types, ', ') into types from pg_prepared_statements where name = 'asked';
      execute format('create function asked(%s) returns void language sql begin atomic %s; end', types, statement);
      select prosqlbody into tree from pg_proc where proname = 'asked';
      raise exception using errcode = 'P0999';
    exception when sqlstate 'P0999' then
    end;
    deallocate asked;
    return tree;
  exception when undefined_table or undefined_function or invalid_schema_name or too_many_arguments then
    return '()';
  end $$`;

let catalogue: Catalogue | undefined;

/** Columns of the tables that comparisons of the audit make for their session. */
const columnsOf = (part: 'requested' | 'reported'): string => {
  const lists = Object.values({ ...checks, ...checksOfIdentity }).flatMap((check) =>
    'reported' in check ? [check[part]?.columns ?? ''] : [],
  );
  const columns = lists.flatMap((list) => list.split(/, */)).filter(Boolean);
  return [...new Map(columns.map((column) => [column.split(' ')[0], column])).values()].join(', ');
};

/** Prepares a session of a database with one bucket for reading statements. */
export async function prepareReading(session: Db): Promise<void> {
  await session.unsafe(treeOfStatement);
  await session.unsafe(`
    create temp table requested_of_buckets (${columnsOf('requested')});
    create temp table reported_by_buckets (${columnsOf('reported')})`);
  catalogue ??= await readCatalogue(session); // every copy of the template has the same numbers
  await addTablesOfSession(session, catalogue);
}

/** Returns what Citus would refuse of a statement. */
export async function problemsOfStatement(session: Db, text: string): Promise<string[]> {
  if (!catalogue) throw new Error('The session is not prepared for reading.');
  const [read] = await session<{ tree: string }[]>`select tree_of_statement(${text}) as tree`;
  return problemsOf(catalogue, readTree(read?.tree ?? ''));
}

let reading: Promise<Db> | undefined;

/** Opens the session in which all files of this process have their statements read; it ends with the process. */
async function openReading(): Promise<Db> {
  const { pool } = await aDatabase(1);
  const session = await pool.reserve();
  await prepareReading(session);
  return session;
}

/** Returns what Citus would refuse of the statements that were sent since the last time, with the source that sends each. */
export async function readRefused(): Promise<string[]> {
  const statements = [...unread];
  const refused = [...refusedTransactions];
  unread.clear();
  refusedTransactions.clear();
  if (statements.length === 0) return refused;
  reading ??= openReading();
  const session = await reading;
  for (const [text, sender] of statements) {
    const problems = await problemsOfStatement(session, text);
    if (problems.length > 0) refused.push(`${sender}: ${problems.join('; ')}`);
  }
  return refused;
}
