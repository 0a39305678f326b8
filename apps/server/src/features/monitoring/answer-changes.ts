import type { FollowedByTables } from '@sparechange/contract/console';
import type { Pool } from '#db/connect.ts';
import { findSilentServers } from '#db/silent-servers.ts';
import { tablesOfAnswers } from './tables-of-answers.ts';

type Changes = Record<FollowedByTables, string>;

/** Lists of any length are read again at their change: not more often than this. */
const countEveryMs = 5_000;

/** Counts rows ever written by table; the partitions of a table, and the tables of a server's buckets, are one. */
const countOn = (server: Pool) => server<{ name: string; rows: string }[]>`
  select regexp_replace(relname, '_(default|[0-9]{4})$', '') as name, sum(n_tup_ins + n_tup_upd + n_tup_del)::text as rows
  from pg_stat_user_tables group by 1`;

/** Says by operation how much was ever written to the tables that its answer is read from, on the servers that answer. */
export async function countChanges(db: Pool): Promise<Changes> {
  const silent = await findSilentServers(db);
  const answering = db.servers.all.filter(({ name }) => !silent.includes(name));
  const counted = await Promise.all(answering.map((server) => countOn(db.on(server))));
  const byTable = Map.groupBy(counted.flat(), ({ name }) => name);
  const rowsOf = (table: string) => (byTable.get(table) ?? []).map(({ rows }) => rows).join('+');
  const changes = Object.entries(tablesOfAnswers).map(([name, tables]) => [name, tables.map(rowsOf).join()]);
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
