import { setTimeout as wait } from 'node:timers/promises';
import { connect } from './connect.ts';
import { NotConnected } from './connections.ts';
import { limitsOfProcess } from './limits.ts';
import type { Db } from './tag.ts';

/** Returns whether a statement is answered in time. */
export function answersWithin(
  db: Db,
  ms: number,
  ask = (asked: Db): PromiseLike<unknown> => asked`select 1`,
): Promise<boolean> {
  const answered = ask(db).then(
    () => true,
    () => false,
  );
  return Promise.race([answered, wait(ms, false, { ref: false })]);
}

/** Returns whether a database answers a new connection in time. */
export async function databaseAnswers(url: string, withinMs: number): Promise<boolean> {
  const pool = connect(url, { max: 1, name: 'sparechange watch', limits: limitsOfProcess('api') });
  const isThere = await answersWithin(pool, withinMs);
  await pool.end({ timeout: isThere ? 1 : 0 });
  return isThere;
}

/** Codes of the system and of PostgreSQL for a connection that could not be made, or is gone. */
const lostCodes = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH'],
  ...['CONNECTIONS_CLOSED'], // our own
  ...['57P01', '57P02', '57P03', '25P03'], // shutting down, crashed, starting up, a transaction that stood idle
  ...['08000', '08003', '08006', '53300'], // connections, too many of them
]);

/** Codes for a statement that took too long, waited too long for a lock, lost to another, met a standby or a full disk. */
const busyCodes = new Set(['57014', '55P03', '40001', '40P01', '25006', '53100']);

/** Sentences of `pg` without a code. */
const lostSentences = /^Connection terminated|^timeout expired$|is not queryable$/;

const codeOf = (error: Error): string => ('code' in error && typeof error.code === 'string' ? error.code : '');

/** Returns whether something holds for an error, or for each of several that came together. */
const isOfEach = (error: unknown, isIt: (error: unknown) => boolean): boolean =>
  isIt(error) || (error instanceof AggregateError && error.errors.length > 0 && error.errors.every(isIt));

/** Returns whether an error means no connection to the database. */
export const isConnectionLost = (error: unknown): boolean => isOfEach(error, isLost);

/** Returns the node of a cluster, as host:port, that the coordinator could not reach, where an error comes from that. */
export function findUnreachedNode(error: unknown): string | undefined {
  const errors = error instanceof AggregateError ? error.errors : [error];
  const names = errors.map((each) => /remote node (?:[^\s@]+@)?(\S+:\d+) failed/.exec(String(each))?.[1]);
  return names.find((name) => name !== undefined);
}

function isLost(error: unknown): boolean {
  if (error instanceof NotConnected) return isLost(error.cause);
  return error instanceof Error && (lostCodes.has(codeOf(error)) || lostSentences.test(error.message));
}

/** Returns whether an error means that the database is unavailable or overloaded; trying later is right. */
export const isDatabaseUnavailable = (error: unknown): boolean =>
  isOfEach(error, (each) => isLost(each) || (each instanceof Error && busyCodes.has(codeOf(each))));

/** Does work that may be left undone while a server does not answer; returns whether it was done. */
export async function ifReachable(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (isConnectionLost(error)) return false;
    throw error;
  }
}
