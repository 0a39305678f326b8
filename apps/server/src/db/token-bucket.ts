import type { Db } from './connect.ts';

/** A token bucket gives `burst` immediately, then one every `everySeconds`. */
export interface Limit {
  burst: number;
  everySeconds: number;
}

type Table = 'rate_limits' | 'identity.limits';

/**
 * Takes `count` from a token bucket, or nothing if it holds less; returns whether it did. Each is one row saying when it
 * is full again (GCRA). Taking is one statement, in which the row's lock makes servers wait for each other.
 */
export async function takeFromTokenBucket(
  db: Db,
  table: Table,
  key: string,
  limit: Limit,
  count = 1,
): Promise<boolean> {
  const { burst, everySeconds } = limit;
  const rows = await db`
    insert into ${db(table)} as known (key, drained_at)
    values (${key}, now() + make_interval(secs => ${everySeconds * count}))
    on conflict (key) do update
    set drained_at = greatest(known.drained_at, now()) + make_interval(secs => ${everySeconds * count})
    -- not now(): who waited for the row began before it was made
    where greatest(known.drained_at, now())
      <= clock_timestamp() + make_interval(secs => ${everySeconds * (burst - count)})
    returning 1`;
  return rows.length > 0;
}

/** Deletes token buckets that are full and so limit nobody. */
export async function deleteFullTokenBuckets(db: Db, table: Table): Promise<void> {
  await db`delete from ${db(table)} where drained_at < now()`;
}
