import type { Pool } from './connect.ts';

/**
 * Keeps a second Sparechange off one data folder. The lock is the database's, so it ends with the program that held
 * it, however that ended. Answers undefined when another program has it.
 */
export async function lockInstance(pool: Pool): Promise<{ release(): Promise<void> } | undefined> {
  const session = await pool.reserve();
  const [lock] = await session<
    { held: boolean }[]
  >`select pg_try_advisory_lock(hashtext('sparechange instance')) as held`;
  if (lock?.held) {
    return {
      release: async () => {
        await session`select pg_advisory_unlock(hashtext('sparechange instance'))`;
        session.release();
      },
    };
  }
  session.release();
  return undefined;
}
