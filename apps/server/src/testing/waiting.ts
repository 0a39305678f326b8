import { expect } from 'vitest';
import type { Db } from '#db/connect.ts';
import { citusUrl } from './citus-database.ts';

/** Lists the sessions of a database; on a cluster those of its nodes, too. */
const sessions = citusUrl === undefined ? 'pg_stat_activity' : 'citus_stat_activity';

/** Counts sessions of a test's database waiting for a lock. */
export async function countWaiting(db: Db): Promise<number> {
  const waiting = await db.unsafe(
    `select from ${sessions} where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return waiting.length;
}

/** Waits until at least `least` sessions wait for a lock. */
export const untilWaiting = (db: Db, least = 1): Promise<void> =>
  expect.poll(() => countWaiting(db), { timeout: 30_000 }).toBeGreaterThanOrEqual(least);
