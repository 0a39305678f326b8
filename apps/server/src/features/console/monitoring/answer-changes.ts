import type { Pool } from '#db/connect.ts';
import { tablesOfAnswers } from './tables-of-answers.ts';

type Changes = Record<string, string>;

/** Minimum interval between counts: lists of any length are read again when they change. */
const minIntervalMs = 5_000;

/** Counts the rows ever written, by table; the partitions and buckets of a table count as one. */
export const countByTable = (db: Pool) => db<{ name: string; rows: string }[]>`
  select regexp_replace(relname, '_(default|[0-9]{4})$', '') as name, sum(n_tup_ins + n_tup_upd + n_tup_del)::text as rows
  from pg_stat_user_tables group by 1`;

/** Counts the writes to the tables that each operation reads its answer from. */
export async function countChanges(db: Pool): Promise<Changes> {
  const rowsByTable = new Map((await countByTable(db)).map(({ name, rows }) => [name, rows]));
  const changes = Object.entries(tablesOfAnswers).map(([name, tables]) => [
    name,
    tables.map((table) => rowsByTable.get(table)).join(),
  ]);
  return Object.fromEntries(changes);
}

/** Returns a cached counter of changes, from PostgreSQL's statistics, which lag by at most ten seconds. */
export function makeChangeCounter(db: Pool): () => Promise<Changes> {
  let cached: { changes: Changes; until: number } | undefined;
  return async () => {
    if (cached && performance.now() < cached.until) return cached.changes;
    const changes = await countChanges(db);
    cached = { changes, until: performance.now() + minIntervalMs };
    return changes;
  };
}
