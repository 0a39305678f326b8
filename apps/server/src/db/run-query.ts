import { hash } from 'node:crypto';
import type { Client, QueryResult } from 'pg';
import { inSpan } from '#ports/spans.ts';
import type { Query } from './compose.ts';
import { useSearchPath } from './search-path.ts';
import type { Rows } from './statement.ts';

/** Renewals of a connection's plans after a change of tables; each gives its statements new names. */
const renewals = new WeakMap<Client, number>();

/** PostgreSQL's routines that refuse prepared statements after a table changed. */
const staleRoutines = new Set(['FetchPreparedStatement', 'RevalidateCachedQuery', 'transformAssignedExpr']);

/** Returns whether a statement failed only because its plan is older than its tables. */
export const isStale = (error: unknown): boolean =>
  error instanceof Error && 'routine' in error && staleRoutines.has(String(error.routine));

interface Known {
  hash: string;
  mayWrite: boolean;
}

/** Texts that were sent lately, the longest known first: reading one again costs as much as a handler. */
const known = new Map<string, Known>();
const maxKnown = 500;

function aboutText(text: string): Known {
  const found = known.get(text);
  if (found) return found;
  for (const oldest of known.keys()) {
    if (known.size < maxKnown) break;
    known.delete(oldest);
  }
  const about = { hash: hash('sha1', text), mayWrite: isWriting(text) };
  known.set(text, about);
  return about;
}

/** Prepares each text once a connection and search path, under its hash. */
function prepared(client: Client, { text, values, path }: Query): Promise<QueryResult> {
  const name = `${aboutText(text).hash}${renewals.get(client) ?? ''}${path ?? ''}`;
  const { stream } = client.connection;
  if (stream.writableCorked === 0) {
    stream.cork(); // statements issued within one turn of the loop are one packet
    setImmediate(() => stream.uncork());
  }
  useSearchPath(client, path);
  return client.query({ name, text, values });
}

const isWriting = (text: string): boolean =>
  !/^(?:\s|--.*\n)*\(*(?:select|with|values|show)\b/i.test(text) ||
  /\b(?:insert|update|delete|merge|nextval|pg_notify|add_audit_checkpoint|close_platform_days|mark_audit_chains|make_\w*partition)\b/i.test(
    text,
  );

/** Returns whether a text may change anything: every non-query, and every query with a word that changes rows. */
export const mayWrite = (text: string): boolean => aboutText(text).mayWrite;

/** Names a statement by its verb and its first table; no value is in either. */
const nameOf = (text: string): string => {
  const verb = /^(?:\s|--.*\n)*([a-z]+)/i.exec(text)?.[1]?.toLowerCase() ?? 'statement';
  const table = /\b(?:from|into|update)\s+([a-z_][a-z_.]*)/i.exec(text)?.[1];
  return table ? `${verb} ${table}` : verb;
};

/**
 * Runs a statement over a connection. If its plan became useless, it is prepared again, unless that failed a
 * transaction.
 */
export const runQuery = (client: Client, query: Query): Promise<Rows<unknown[]>> =>
  inSpan(
    () => ({ name: nameOf(query.text), kind: 'client', attributes: { 'db.system.name': 'postgresql' } }),
    () => run(client, query),
  );

async function run(client: Client, query: Query): Promise<Rows<unknown[]>> {
  if (!query.isPrepared) {
    useSearchPath(client, query.path);
    return counted(await client.query(query.text, query.values));
  }
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
