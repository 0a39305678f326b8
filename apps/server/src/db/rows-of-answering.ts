import { isDatabaseUnavailable } from './database-answers.ts';
import type { Pool } from './pool.ts';
import { throwAll } from './turns.ts';

/**
 * Reads rows of several pools, asked at once, and leaves out those that do not answer.
 * Throws their failures where no row that answered is the one looked for: it may be theirs.
 */
export async function rowsOfAnswering<Row>(
  pools: Pool[],
  read: (pool: Pool) => PromiseLike<readonly Row[]>,
  isLookedFor: (row: Row) => boolean,
): Promise<Row[]> {
  const answers = await Promise.allSettled(pools.map(read));
  const rows = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const failures = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []));
  if (!rows.some(isLookedFor) || !failures.every(isDatabaseUnavailable)) throwAll(failures);
  return rows;
}
