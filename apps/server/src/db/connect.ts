import { columnTypes } from './column-types.ts';
import { Connections } from './connections.ts';
import type { DatabaseLimits } from './limits.ts';
import { makePool, type Pool } from './pool.ts';

export type { Pool, ReservedDb } from './pool.ts';
export type { Statement } from './statement.ts';
export type { Db } from './tag.ts';

export interface ConnectOptions {
  /** The most connections open together. */
  max?: number;
  name?: string;
  /** Without them, statements and locks have no time limit. */
  limits?: DatabaseLimits;
  /** Number of schemas that divide the supporters; one by default. */
  buckets?: number;
  /** Keeps connections open however long they are unused: a simulation is the same at any speed. */
  keepsUnused?: boolean;
}

/**
 * Settings of each session. Instants are shown in UTC, regardless of the server's own zone. The server asks a silent
 * connection for a sign of life: the locks of a machine that lost its power would otherwise be kept for the two hours
 * of most systems.
 */
const sessionSettings = {
  TimeZone: 'UTC',
  tcp_keepalives_idle: 30,
  tcp_keepalives_interval: 10,
  tcp_keepalives_count: 3,
};

function withSettings(url: string): string {
  const target = new URL(url);
  const settings = Object.entries(sessionSettings).map(([name, value]) => `-c ${name}=${value}`);
  const own = target.searchParams.get('options');
  target.searchParams.set('options', [...(own ? [own] : []), ...settings].join(' '));
  return target.href;
}

/** Returns the settings of every connection, for `pg`. */
export const connectionSettings = (url: string, name: string, limits?: DatabaseLimits) => ({
  connectionString: withSettings(url),
  connectionTimeoutMillis: 10_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 60_000,
  application_name: name,
  ...(limits && {
    statement_timeout: limits.statementMs,
    lock_timeout: limits.lockMs,
    idle_in_transaction_session_timeout: limits.idleInTransactionMs,
  }),
});

/** Connects to PostgreSQL on first use; drops its chatty notices. */
export function connect(
  url: string,
  { max = 10, name = 'sparechange', limits, buckets = 1, keepsUnused = false }: ConnectOptions = {},
): Pool {
  // Statements that a transaction issues together travel together.
  const config = { ...connectionSettings(url, name, limits), types: columnTypes, pipeline: true };
  return makePool(new Connections(config, max, { keepsUnused }), { buckets });
}
