import type { Pool } from './connect.ts';

/**
 * Runs `work` while holding a named lock that ends with the connection, so that a killed program never keeps it.
 * Answers undefined, without running it, when somebody else holds the lock.
 */
export async function withSessionLock<Result>(
  pool: Pool,
  name: string,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  const session = await pool.reserve();
  try {
    const [lock] = await session<{ held: boolean }[]>`select pg_try_advisory_lock(hashtext(${name})) as held`;
    if (!lock?.held) return undefined;
    try {
      return await work();
    } finally {
      await session`select pg_advisory_unlock(hashtext(${name}))`;
    }
  } finally {
    session.release();
  }
}
