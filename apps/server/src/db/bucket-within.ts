import type { Pool } from './pool.ts';
import type { Db } from './tag.ts';

/**
 * Returns the handle of a supporter's bucket in a transaction of control, or the pool's where another server has the bucket.
 * A transaction that asks its own server for a second connection may wait for others that do.
 */
export function bucketWithin(tx: Db, pool: Pool, supporterId: string): Db {
  const bucket = pool.of(supporterId);
  return pool.servers.holding(bucket.scope) === pool.servers.control ? tx.of(supporterId) : bucket;
}
