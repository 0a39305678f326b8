import { maxCounted } from '@sparechange/domain/counted';
import type { Db, Pool } from '#db/connect.ts';
import { rowsOf, sumsOf } from '#db/in-each-bucket.ts';

/** Counts supporters, closed accounts included. */
export async function countSupporters(pool: Pool): Promise<number> {
  const count = (db: Db) => db<{ supporters: number }[]>`select count(*) as supporters from supporters`;
  return sumsOf(await rowsOf(pool.inBuckets(), count)).supporters;
}

/** Counts debits that have not ended. */
export async function countOpenDebits(pool: Pool): Promise<number> {
  const count = (db: Db) => db<{ debits: number }[]>`
    select count(*) as debits from debits where state in ('planned', 'submitting', 'submitted')`;
  return sumsOf(await rowsOf(pool.inBuckets(), count)).debits;
}

/** Counts deposits, repayments and remittances that have not ended. */
export async function countOpenPayouts(pool: Pool): Promise<number> {
  const count = (db: Db) => db<{ payouts: number }[]>`
    select (select count(*) from deposits where state in ('planned', 'submitting', 'submitted'))
      + (select count(*) from repayments where state in ('planned', 'submitting', 'submitted')) as payouts`;
  const [control] = await pool<{ payouts: number }[]>`
    select count(*) as payouts from remittances where state in ('planned', 'submitting', 'submitted')`;
  return sumsOf([...(await rowsOf(pool.inBuckets(), count)), { payouts: control?.payouts ?? 0 }]).payouts;
}

/** Counts notifications of providers that are not handled yet. */
export async function countOpenNotifications(db: Db): Promise<number> {
  const [open] = await db<{ notifications: number }[]>`
    select count(*)::int as notifications from notifications where handled_at is null`;
  return open?.notifications ?? 0;
}

/** Counts supporters' work that is due, up to 10,000. */
export async function countDueWork(pool: Pool, now: Date): Promise<number> {
  const due = (db: Db) => db<{ work: number }[]>`
    select count(*)::int as work from (
      select from supporter_work where next_try_at <= ${now} limit ${maxCounted}
    ) as due`;
  return Math.min(sumsOf(await rowsOf(pool.inBuckets(), due)).work, maxCounted);
}
