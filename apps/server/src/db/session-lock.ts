import type { Db, Pool } from './connect.ts';

/**
 * Runs `work` while holding a named lock that ends with the connection, so that a killed process never keeps it.
 * Answers undefined, without running it, when somebody else holds the lock.
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

/** The last in turn of a pool for each lock. */
const lastInTurn = new WeakMap<Pool, Map<string, Promise<unknown>>>();

/**
 * Runs `work` while holding such a lock, for which it waits. Those of one pool wait without a connection: the one whose
 * turn it is needs others.
 */
export function awaitSessionLock<Result>(pool: Pool, name: string, work: () => Promise<Result>): Promise<Result> {
  const turns = lastInTurn.get(pool) ?? new Map<string, Promise<unknown>>();
  lastInTurn.set(pool, turns);
  const turn = (turns.get(name) ?? Promise.resolve()).then(() =>
    inSession(pool, async (session) => {
      await session`select pg_advisory_lock(hashtext(${name}))`;
      return unlockAfter(session, name, work);
    }),
  );
  turns.set(
    name,
    turn.catch(() => {}),
  );
  return turn;
}

async function inSession<Result>(pool: Pool, work: (session: Db) => Promise<Result>): Promise<Result> {
  const session = await pool.reserve();
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
