import type { Client } from 'pg';
import type { Query } from './compose.ts';
import { runQuery } from './run-query.ts';
import type { Scope } from './scope.ts';
import { forgetSearchPath } from './search-path.ts';
import type { Session } from './statement.ts';
import { type Db, makeTag } from './tag.ts';

/** True for in_failed_sql_transaction: an earlier statement failed. */
const isAborted = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '25P02';

/**
 * Runs `work` in a transaction (`begin` and its mode) over a connection and commits it. Any failed statement rolls it back
 * and rejects with the first failure, even if `work` caught it. Statements after the end are refused: they would run outside.
 */
export async function transact<Result>(
  client: Client,
  mode: string,
  scope: Scope,
  work: (tx: Db) => Promise<Result>,
  mayReach?: Session['mayReach'],
): Promise<Result> {
  let isOver = false;
  let failure: unknown;
  const run = async (query: Query) => {
    if (isOver) throw new Error('A statement came after the end of its transaction.');
    try {
      return await runQuery(client, query);
    } catch (error) {
      failure ??= error;
      throw error;
    }
  };
  const session: Session = { run, openTransaction: async () => ({ run, close: async () => {} }), mayReach };
  try {
    await client.query(`begin ${mode}`);
    const result = await work(makeTag(session, scope));
    if (failure) throw failure;
    isOver = true;
    const { command } = await client.query('commit');
    if (command !== 'COMMIT') throw new Error('PostgreSQL rolled the transaction back.');
    return result;
  } catch (error) {
    isOver = true;
    forgetSearchPath(client);
    await client.query('rollback').catch(() => {}); // a connection that cannot roll back is closed on its return to the pool
    throw isAborted(error) ? (failure ?? error) : error;
  }
}
