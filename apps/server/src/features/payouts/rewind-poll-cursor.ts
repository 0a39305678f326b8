import type { Db } from '#db/connect.ts';

/**
 * Lets the next poll begin no later than then. An order found at the provider after a crash may have settled before we
 * knew its reference, and longer ago than a poll looks back.
 */
export async function rereadOutcomesFrom(db: Db, instant: Date | null): Promise<void> {
  if (!instant) return;
  await db`update poll_cursors set read_until = least(read_until, ${instant}) where name = 'outcomes'`;
}
