import type { FollowedByTables } from '@sparechange/contract/console';
import type { Pool } from '#db/connect.ts';
import { tablesOfAnswers } from './tables-of-answers.ts';

type Changes = Record<FollowedByTables, string>;

/** Lists of any length are read again at their change: not more often than this. */
const countEveryMs = 5_000;

/** Counts rows ever written by table; the partitions of a table, and those of all buckets, are one. */
const countByTable = (db: Pool) => db<{ name: string; rows: string }[]>`
  select regexp_replace(relname, '_(default|[0-9]{4})$', '') as name, sum(n_tup_ins + n_tup_upd + n_tup_del)::text as rows
  from pg_stat_user_tables group by 1`;

/** Says by operation how much was ever written to the tables that its answer is read from. */
export async function countChanges(db: Pool): Promise<Changes> {
  const counted = new Map((await countByTable(db)).map(({ name, rows }) => [name, rows]));
  const changes = Object.entries(tablesOfAnswers).map(([name, tables]) => [
    name,
    tables.map((table) => counted.get(table)).join(),
  ]);
  return Object.fromEntries(changes) as Changes;
}

/** Returns what counts changes, by PostgreSQL's own statistics, which learn of one after ten seconds at most. */
export function answerChanges(db: Pool): () => Promise<Changes> {
  let known: { changes: Changes; until: number } | undefined;
  return async () => {
    if (known && performance.now() < known.until) return known.changes;
    const changes = await countChanges(db);
    known = { changes, until: performance.now() + countEveryMs };
    return changes;
  };
}
