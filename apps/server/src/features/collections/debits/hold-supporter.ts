import { appendToAuditLog } from '#audit/audit-log.ts';
import type { Db, Pool } from '#db/connect.ts';
import { rowsOf, sumsOf } from '#db/in-each-bucket.ts';
import { isOpenHold } from '#features/core/debiting/conditions.ts';
import type { Clock } from '#ports/clock.ts';

/**
 * Stops debits of a supporter until they are released: nothing is planned or submitted, round-ups still accrue, and
 * debits at the provider complete. Returns false if they were already held.
 */
export async function holdSupporter(pool: Pool, clock: Clock, supporterId: string, because: string): Promise<boolean> {
  const at = clock.now();
  return pool.of(supporterId).begin(async (tx) => {
    const held = await tx`
      insert into debit_holds (supporter_id, held_at, reason) values (${supporterId}, ${at}, ${because}) on conflict do nothing`;
    if (held.count === 0) return false;
    const details = { because };
    await appendToAuditLog(tx, { supporterId, at, actor: 'operator', action: 'held debits', details });
    return true;
  });
}

/** Releases a held supporter; waiting round-ups go with the next run. Returns false if they were not held. */
export async function releaseSupporter(
  pool: Pool,
  clock: Clock,
  supporterId: string,
  because: string,
): Promise<boolean> {
  const at = clock.now();
  return pool.of(supporterId).begin(async (tx) => {
    const released = await tx`
      update debit_holds set released_at = ${at} where supporter_id = ${supporterId} and ${isOpenHold(tx)}`;
    if (released.count === 0) return false;
    const details = { because };
    await appendToAuditLog(tx, { supporterId, at, actor: 'operator', action: 'released debits', details });
    return true;
  });
}

export interface Hold {
  email: string;
  since: Date;
  because: string;
}

const maxListed = 200;

/** A closed account collects nothing anyhow. */
const held = (db: Db) =>
  db`debit_holds join supporters using (supporter_id) where ${isOpenHold(db)} and closed_on is null`;

/** Lists held supporters, longest first, limited for a human reader. */
export async function listHolds(pool: Pool): Promise<Hold[]> {
  const holds = await rowsOf(
    pool.inBuckets(),
    (bucket) => bucket<Hold[]>`
      select email, held_at as since, reason as because from ${held(bucket)} order by held_at limit ${maxListed}`,
  );
  return holds.sort((one, other) => one.since.getTime() - other.since.getTime()).slice(0, maxListed);
}

/** Counts held supporters. */
export async function countHolds(pool: Pool): Promise<number> {
  const count = (bucket: Db) => bucket<{ holds: number }[]>`select count(*)::int as holds from ${held(bucket)}`;
  return sumsOf(await rowsOf(pool.inBuckets(), count)).holds;
}

/** Returns a supporter's hold; undefined if they are not held. */
export async function findHold(db: Db, supporterId: string): Promise<Omit<Hold, 'email'> | undefined> {
  const [hold] = await db<Omit<Hold, 'email'>[]>`
    select held_at as since, reason as because from debit_holds where supporter_id = ${supporterId} and ${isOpenHold(db)}`;
  return hold;
}
