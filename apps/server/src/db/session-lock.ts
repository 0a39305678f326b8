import type { Db, Pool } from './connect.ts';

/**
 * Runs `work` while holding a named lock of control that ends with the connection, so that a killed process never keeps it.
 * Returns undefined, without running it, when somebody else holds the lock.
 */
export const withSessionLock = <Result>(
  pool: Pool,
  name: string,
  work: () => Promise<Result>,
): Promise<Result | undefined> =>
  inSession(pool, async (session) => {
    const [lock] = await session<{ held: boolean }[]>`select pg_try_advisory_lock(hashtext(${name})) as held`;
    return lock?.held ? unlockAfter(session, name, work) : undefined;
  });

/** The last in turn for each lock of a pool. */
const lastInTurn = new WeakMap<Pool, Map<string, Promise<void>>>();

/**
 * Runs `work` while holding such a lock, for which it waits. Those of one pool wait without a connection: the one whose
 * turn it is needs others.
 */
export async function awaitSessionLock<Result>(pool: Pool, name: string, work: () => Promise<Result>): Promise<Result> {
  const turns = lastInTurn.get(pool) ?? new Map<string, Promise<void>>();
  lastInTurn.set(pool, turns);
  const before = turns.get(name);
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  turns.set(name, ended);
  try {
    await before;
    return await inSession(pool, async (session) => {
      await session`select pg_advisory_lock(hashtext(${name}))`;
      return unlockAfter(session, name, work);
    });
  } finally {
    if (turns.get(name) === ended) turns.delete(name);
    end();
  }
}

async function inSession<Result>(pool: Pool, work: (session: Db) => Promise<Result>): Promise<Result> {
  const session = await pool.inControl().reserve();
  try {
    return await work(session);
  } finally {
    session.release();
  }
}

async function unlockAfter<Result>(session: Db, name: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } finally {
    await session`select pg_advisory_unlock(hashtext(${name}))`;
  }
}
