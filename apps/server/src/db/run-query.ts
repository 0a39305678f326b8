import { hash } from 'node:crypto';
import type { Client, QueryResult } from 'pg';
import type { Query } from './compose.ts';
import type { Rows } from './statement.ts';

/** Renewals of a connection's plans after a change of tables; each gives its statements new names. */
const renewals = new WeakMap<Client, number>();

/** PostgreSQL's routines that refuse prepared statements after a table changed. */
const staleRoutines = new Set(['FetchPreparedStatement', 'RevalidateCachedQuery', 'transformAssignedExpr']);

const isStale = (error: unknown): boolean =>
  error instanceof Error && 'routine' in error && staleRoutines.has(String(error.routine));

/** Prepares each text once a connection, under its hash. */
function prepared(client: Client, { text, values }: Query): Promise<QueryResult> {
  const name = `${hash('sha1', text)}${renewals.get(client) ?? ''}`;
  const { stream } = client.connection;
  if (stream.writableCorked === 0) {
    stream.cork(); // what is asked within one turn of the loop is one packet
    setImmediate(() => stream.uncork());
  }
  return client.query({ name, text, values });
}

/** Runs a statement over a connection. One whose plan became useless is prepared anew, unless a transaction failed by it. */
export async function runQuery(client: Client, query: Query): Promise<Rows<unknown[]>> {
  if (!query.isPrepared) return counted(await client.query(query.text, query.values));
  try {
    return counted(await prepared(client, query));
  } catch (error) {
    if (!isStale(error)) throw error;
    renewals.set(client, (renewals.get(client) ?? 0) + 1);
    if (client.getTransactionStatus() !== 'I') throw error;
    return counted(await prepared(client, query));
  }
}

/** Returns the rows; of several statements, those of the last. */
function counted(result: QueryResult | QueryResult[]): Rows<unknown[]> {
  const { rows, rowCount } = Array.isArray(result) ? (result.at(-1) as QueryResult) : result;
  return Object.defineProperty(rows, 'count', { value: rowCount ?? 0 }) as unknown as Rows<unknown[]>;
}
