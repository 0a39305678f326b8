import postgres from 'postgres';
import type { DatabaseLimits } from './limits.ts';

/** Types of our columns: whole cents as numbers, calendar days as `YYYY-MM-DD`. */
const types = {
  bigint: {
    to: 20,
    from: [20],
    serialize: (value: number) => String(value),
    parse: (text: string) => {
      const value = Number(text);
      if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is too large for a whole number of cents`);
      return value;
    },
  },
  date: { to: 1082, from: [1082], serialize: (value: string) => value, parse: (text: string) => text },
};

type Types = { bigint: number; date: string };

/** The pool or an open transaction; the caller chooses. */
export type Db = postgres.ISql<Types>;

/** The pool: the only thing that can open a transaction. */
export type Pool = postgres.Sql<Types>;

export interface ConnectOptions {
  /** The most connections at once. */
  max?: number;
  name?: string;
  /** Without them a statement and a lock may take for ever. */
  limits?: DatabaseLimits;
}

/** Connects to PostgreSQL. Notices are dropped: migrations and idempotent DDL are chatty. */
export function connect(url: string, options: ConnectOptions = {}): Pool {
  const { limits } = options;
  return postgres<typeof types>(url, {
    types,
    max: options.max ?? 10,
    onnotice: () => {},
    connect_timeout: 10,
    backoff: (tries) => Math.min(0.05 * 2 ** tries, 1), // seconds; a database that is back is found within one
    max_lifetime: null, // session locks live as long as their connection
    connection: {
      application_name: options.name ?? 'sparechange',
      timezone: 'UTC',
      ...(limits && {
        statement_timeout: limits.statementMs,
        lock_timeout: limits.lockMs,
        idle_in_transaction_session_timeout: limits.idleInTransactionMs,
      }),
    },
  }) as unknown as Pool;
}
