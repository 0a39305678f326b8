import type { Db, Value } from '#world/database.ts';
import { parseInstant } from '#world/days.ts';
import type { Page } from './pages.ts';
import { badRequest } from './problem.ts';
import { type Transaction, transactionColumns } from './transactions.ts';

type Query = Record<string, unknown>;

const listOf = (value: unknown): string[] =>
  [value ?? []]
    .flat()
    .flatMap((each) => String(each).split(','))
    .filter((each) => each !== '');

const exact: Record<string, string> = {
  ref: 'ref',
  parent_ref: 'parent_ref',
  bank_ref: 'bank_ref',
  party_contact_id: 'contact_id',
  description: 'description',
};

const oneOf = ['status', 'category', 'type'];

const dates: Record<string, string> = {
  created_date: 'created_at',
  matured_date: 'matures_at',
  cleared_date: 'cleared_at',
  status_changed_date: 'status_changed_at',
};

const monthMs = 30 * 86_400_000;

/** Lists transactions, newest first; without `min_created_date`, 30 days' worth. */
export function searchTransactions(
  db: Db,
  query: Query,
  { limit, offset }: Page,
  now: number,
): (Transaction & { partyName: string })[] {
  const conditions: string[] = [];
  const values: Value[] = [];
  const add = (condition: string, ...given: Value[]) => {
    conditions.push(condition);
    values.push(...given);
  };

  if (String(query.both_parties) !== 'true') add("side = 'ours'");
  for (const [parameter, column] of Object.entries(exact)) {
    if (query[parameter] !== undefined) add(`${column} = ?`, String(query[parameter]));
  }
  for (const parameter of oneOf) {
    const wanted = listOf(query[parameter] ?? query[`${parameter}[]`]);
    if (wanted.length > 0) add(`${parameter} in (${wanted.map(() => '?').join(', ')})`, ...wanted);
  }
  if (query.min_amount !== undefined) add('amount >= ?', Number(query.min_amount));
  if (query.max_amount !== undefined) add('amount <= ?', Number(query.max_amount));
  for (const [parameter, column] of Object.entries(dates)) {
    const from = instantOf(query, `min_${parameter}`);
    const to = instantOf(query, `max_${parameter}`);
    if (from !== undefined) add(`${column} >= ?`, from);
    if (to !== undefined) add(`${column} <= ?`, to);
  }
  if (query.min_created_date === undefined) add('created_at >= ?', now - monthMs);

  // The page is found in an index alone; only its own rows are then read in full.
  return db.all<Transaction & { partyName: string }>(
    `select ${transactionColumns}, (select name from contacts where id = contact_id) as partyName
     from transactions where number in (
       select number from transactions where ${conditions.join(' and ') || 'true'} order by number desc limit ? offset ?
     ) order by number desc`,
    ...values,
    limit + 1,
    offset,
  );
}

function instantOf(query: Query, parameter: string): number | undefined {
  if (query[parameter] === undefined) return undefined;
  const instant = parseInstant(String(query[parameter]));
  if (instant === undefined) throw badRequest(`${parameter} is invalid`);
  return instant;
}
