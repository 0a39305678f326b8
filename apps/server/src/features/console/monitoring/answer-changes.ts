import type { FollowedByTables } from '@sparechange/contract/console';
import type { Pool } from '#db/connect.ts';
import { tablesOfAnswers } from './tables-of-answers.ts';

type Changes = Record<FollowedByTables, string>;

/** Minimum interval for lists of any length, which are read again when they change. */
const countEveryMs = 5_000;

/** Counts rows ever written by table; a table's partitions and buckets count as one. */
const countByTable = (db: Pool) => db<{ name: string; rows: string }[]>`
  select regexp_replace(relname, '_(default|[0-9]{4})$', '') as name, sum(n_tup_ins + n_tup_upd + n_tup_del)::text as rows
  from pg_stat_user_tables group by 1`;

/** Counts, by operation, all writes to the tables that its answer is read from. */
export async function countChanges(db: Pool): Promise<Changes> {
  const counted = new Map((await countByTable(db)).map(({ name, rows }) => [name, rows]));
  const changes = Object.entries(tablesOfAnswers).map(([name, tables]) => [
    name,
    tables.map((table) => counted.get(table)).join(),
  ]);
  return Object.fromEntries(changes) as Changes;
}

/** Returns a counter of changes, by PostgreSQL's own statistics, which are at most ten seconds late. */
export function answerChanges(db: Pool): () => Promise<Changes> {
  let known: { changes: Changes; until: number } | undefined;
  return async () => {
    if (known && performance.now() < known.until) return known.changes;
    const changes = await countChanges(db);
    known = { changes, until: performance.now() + countEveryMs };
    return changes;
  };
}
