import type { Db, Pool } from '#db/connect.ts';

/** Lets a transaction change what is append-only and what keys protect; on a cluster on its nodes, too. */
export async function setGuardsAside(tx: Db): Promise<void> {
  await tx`set local citus.propagate_set_commands = 'local'`;
  await tx`set local session_replication_role = 'replica'`;
}

/** Pools without guards of databases of tests, by the connections of their other pools. */
const pools = new WeakMap<Pool['connections'], Pool>();

/** Returns the address of a database for sessions that have their guards aside from their start. */
export function withoutGuards(url: string): string {
  const address = new URL(url);
  address.searchParams.set('options', '-c session_replication_role=replica');
  return address.href;
}

/** Has a database emptied over a pool of its own: setting guards aside and back makes a session plan every statement again. */
export const emptyOver = (pool: Pool, unguarded: Pool): void => void pools.set(pool.connections, unguarded);

/** Runs a transaction that may change what is append-only, over the pool for that or else over the given one. */
export function beginWithoutGuards<Result>(pool: Pool, work: (tx: Db) => Promise<Result>): Promise<Result> {
  const unguarded = pools.get(pool.connections);
  if (unguarded) return unguarded.begin(work);
  return pool.begin(async (tx) => {
    await setGuardsAside(tx);
    return work(tx);
  });
}
