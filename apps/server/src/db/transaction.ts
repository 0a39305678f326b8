import type { Client, QueryResult } from 'pg';
import type { Query } from './compose.ts';
import { runQuery } from './run-query.ts';
import type { Scope } from './scope.ts';
import { forgetSearchPath } from './search-path.ts';
import type { Session } from './statement.ts';
import { type Db, makeTag } from './tag.ts';
import type { WaitingCaller } from './waiting-caller.ts';

/** True for in_failed_sql_transaction: an earlier statement failed. */
const isAborted = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '25P02';

interface TransactOptions {
  /** Waits for the transaction; it is not committed once they are refused. */
  caller?: WaitingCaller | undefined;
}

/** Begins a transaction and returns a function that tells the server's time, never too late a one: the answer took time too. */
async function beginWithClock(client: Client, mode: string): Promise<() => number> {
  const answers: unknown = await client.query(
    `begin ${mode}; select extract(epoch from clock_timestamp()) * 1000 as ms`, // one text, so that it costs one way
  );
  const readAt = performance.now();
  const { rows } = (answers as QueryResult<{ ms: string }>[])[1] ?? { rows: [] };
  return () => Number(rows[0]?.ms) + performance.now() - readAt;
}

/** Composes a condition for what follows it in the same text: it fails where the server comes to it too late by its own clock. */
const unlessLaterThan = (ms: number): string => `
  do $$ begin
    if clock_timestamp() > to_timestamp(${(ms / 1_000).toFixed(6)}) then
      raise exception 'The commit came too late: its caller may have been refused.' using errcode = '57014';
    end if;
  end $$; `;

/**
 * Runs `work` in a transaction (`begin` and its mode) over a connection and commits it. Any failed statement rolls it back
 * and rejects with the first failure, even if `work` caught it. Statements after the end are refused: they would run outside.
 */
export async function transact<Result>(
  client: Client,
  mode: string,
  scope: Scope,
  work: (tx: Db) => Promise<Result>,
  { caller }: TransactOptions = {},
): Promise<Result> {
  let isOver = false;
  let failure: unknown;
  const run = async (query: Query) => {
    if (isOver) throw new Error('A statement came after the end of its transaction.');
    caller?.throwIfRefused();
    try {
      return await runQuery(client, query);
    } catch (error) {
      failure ??= error;
      throw error;
    }
  };
  const session: Session = { run, openTransaction: async () => ({ run, close: async () => {} }) };
  try {
    const mayCommit = caller !== undefined && !mode.includes('read only');
    const serverTimeMs = mayCommit ? await beginWithClock(client, mode) : undefined;
    if (!mayCommit) await client.query(`begin ${mode}`);
    const result = await work(makeTag(session, scope));
    if (failure) throw failure;
    isOver = true;
    const commit = (condition = '') => client.query(`${condition}commit`);
    const answer: QueryResult | QueryResult[] =
      serverTimeMs && caller?.isWaiting
        ? await caller.commit((withinMs) => commit(unlessLaterThan(serverTimeMs() + withinMs)))
        : await commit();
    const { command } = [answer].flat().at(-1) ?? {};
    if (command !== 'COMMIT') throw new Error('PostgreSQL rolled the transaction back.');
    return result;
  } catch (error) {
    isOver = true;
    forgetSearchPath(client);
    await client.query('rollback').catch(() => {}); // a connection that cannot roll back is closed on its return to the pool
    throw isAborted(error) ? (failure ?? error) : error;
  }
}
