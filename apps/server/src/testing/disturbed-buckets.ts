import type { Db, Pool } from '#db/connect.ts';

/** Returns a pool that does something before each transaction or session of a bucket: after control was read. */
export const beforeBucket = (pool: Pool, before: () => Promise<void>): Pool =>
  replaced(pool, 'inBuckets', () =>
    pool.inBuckets().map((bucket) => {
      const begin = async <Result>(work: (tx: Db) => Promise<Result>, mode?: string) => {
        await before();
        return bucket.begin(work, mode);
      };
      const reserve = async () => {
        await before();
        return bucket.reserve();
      };
      return replaced(replaced(bucket, 'begin', begin), 'reserve', reserve);
    }),
  );

const replaced = <Name extends keyof Pool>(pool: Pool, name: Name, by: Pool[Name]): Pool =>
  new Proxy(pool, { get: (target, asked, own) => (asked === name ? by : Reflect.get(target, asked, own)) });

/** Makes statements about a bucket's table fail during work. */
export async function whileTableFails(bucket: Db | undefined, table: string, during: () => Promise<void>) {
  if (!bucket) throw new Error('There is no such bucket.');
  await bucket.unsafe(`alter table ${table} rename to hidden`);
  try {
    await during();
  } finally {
    await bucket.unsafe(`alter table hidden rename to ${table}`);
  }
}

/**
 * Refuses writes of a kind ("update on debits") during some work where a condition on `new` or `old` holds. `db` is
 * control or a bucket: a view of several buckets takes no such trigger.
 */
export async function whileRefused(db: Db, writes: string, condition: string, during: () => Promise<void>) {
  // each separately, as Citus sends them on
  await db.unsafe(`create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`);
  await db.unsafe(`create trigger refuse before ${writes} for each row when (${condition}) execute function refuse()`);
  try {
    await during();
  } finally {
    await db.unsafe('drop function refuse cascade');
  }
}
