import { setTimeout as wait } from 'node:timers/promises';
import type { Db, Pool, ReservedDb } from './connect.ts';

/** Work under a lock. Once the signal is aborted another process may hold the lock: no further step is begun. */
type Work<Result> = (lost: AbortSignal) => Promise<Result>;

/**
 * Runs `work` while holding a named lock of control that ends with the connection, so that a killed process never keeps it.
 * Returns undefined, without running it, when somebody else holds the lock; rejects after work whose lock was lost.
 */
export const withSessionLock = <Result>(pool: Pool, name: string, work: Work<Result>): Promise<Result | undefined> =>
  withSessionLocks(pool, [name], work);

/** Does the same with several locks, on one connection. */
export const withSessionLocks = <Result>(
  pool: Pool,
  names: string[],
  work: Work<Result>,
): Promise<Result | undefined> => inSession(pool, (session) => holding(session, names, work));

async function holding<Result>(
  session: ReservedDb,
  [name, ...others]: string[],
  work: Work<Result>,
): Promise<Result | undefined> {
  if (name === undefined) return work(session.lost);
  const [lock] = await session<{ held: boolean }[]>`select pg_try_advisory_lock(hashtext(${name})) as held`;
  return lock?.held ? unlockAfter(session, name, () => holding(session, others, work)) : undefined;
}

/** A condition that holds while somebody holds such a lock. */
export const isLocked = (db: Db, name: string) => db`exists (
  select from pg_locks where locktype = 'advisory' and granted and objsubid = 1
    and database = (select oid from pg_database where datname = current_database())
    and (classid::bigint << 32) | objid::bigint = hashtext(${name}))`;

export async function holdsNow(db: Db, condition: ReturnType<typeof isLocked>): Promise<boolean> {
  const [now] = await db<{ holds: boolean }[]>`select ${condition} as holds`;
  return now?.holds ?? false;
}

/** The last in turn for each lock of a pool. */
const lastInTurn = new WeakMap<Pool, Map<string, Promise<void>>>();

/** Pauses between asking for a lock that somebody else holds. */
const askAgainMs = { first: 20, most: 250 };

/**
 * Asks repeatedly until the lock is held: waiting within a statement would block `create index concurrently`, which may
 * hold it.
 */
async function askUntilHeld(ask: () => PromiseLike<{ held: boolean }[]>): Promise<void> {
  for (let pauseMs = askAgainMs.first; ; pauseMs = Math.min(2 * pauseMs, askAgainMs.most)) {
    const [lock] = await ask();
    if (lock?.held) return;
    await wait(pauseMs);
  }
}

/** Waits for a lock that ends with the transaction. */
export const awaitTransactionLock = (tx: Db, name: string): Promise<void> =>
  askUntilHeld(() => tx<{ held: boolean }[]>`select pg_try_advisory_xact_lock(hashtext(${name})) as held`);

/**
 * Runs `work` while holding such a lock, for which it waits. Those of one pool wait without a connection: the one whose
 * turn it is needs others.
 */
export async function awaitSessionLock<Result>(pool: Pool, name: string, work: Work<Result>): Promise<Result> {
  const turns = lastInTurn.get(pool) ?? new Map<string, Promise<void>>();
  lastInTurn.set(pool, turns);
  const before = turns.get(name);
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  turns.set(name, ended);
  try {
    await before;
    return await inSession(pool, async (session) => {
      await askUntilHeld(() => session<{ held: boolean }[]>`select pg_try_advisory_lock(hashtext(${name})) as held`);
      return unlockAfter(session, name, work);
    });
  } finally {
    if (turns.get(name) === ended) turns.delete(name);
    end();
  }
}

async function inSession<Result>(pool: Pool, work: (session: ReservedDb) => Promise<Result>): Promise<Result> {
  const session = await pool.inControl().reserve();
  try {
    return await work(session);
  } finally {
    session.release();
  }
}

async function unlockAfter<Result>(session: ReservedDb, name: string, work: Work<Result>): Promise<Result> {
  try {
    return await work(session.lost);
  } finally {
    await session`select pg_advisory_unlock(hashtext(${name}))`;
  }
}
