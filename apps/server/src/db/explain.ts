import type { Query } from './compose.ts';
import { type Db, makeTag } from './tag.ts';

/** Runs work and returns the statements that it sent over `db`, in order; transactions that it opens are not followed. */
export async function statementsOf(db: Db, work: (noted: Db) => Promise<unknown>): Promise<Query[]> {
  const sent: Query[] = [];
  const run = (query: Query) => {
    sent.push(query);
    return db.session.run(query);
  };
  await work(makeTag({ ...db.session, run }, db.scope));
  return sent;
}

/**
 * Returns PostgreSQL's plan of a statement, as text. `isAnalyzed` runs it and shows rows, time and buffers as well: only for a
 * statement that reads.
 */
export async function planOf(db: Db, query: Query, isAnalyzed = false): Promise<string> {
  const options = isAnalyzed ? 'analyze, buffers' : 'costs';
  const text = `explain (${options}) ${query.text}`;
  const rows = (await db.session.run({ ...query, text, isPrepared: false })) as unknown as { 'QUERY PLAN': string }[];
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}
