import type { Db, Pool } from '#db/connect.ts';

/** Returns a pool that does something before each transaction of a bucket: after control was read. */
export const beforeBucket = (pool: Pool, before: () => Promise<void>): Pool =>
  replaced(pool, 'inBuckets', () =>
    pool.inBuckets().map((bucket) =>
      replaced(bucket, 'begin', async <Result>(work: (tx: Db) => Promise<Result>, mode?: string) => {
        await before();
        return bucket.begin(work, mode);
      }),
    ),
  );

const replaced = <Name extends keyof Pool>(pool: Pool, name: Name, by: Pool[Name]): Pool =>
  new Proxy(pool, { get: (target, asked, own) => (asked === name ? by : Reflect.get(target, asked, own)) });

/** Lets statements about a table of a bucket fail meanwhile. */
export async function whileTableFails(bucket: Db | undefined, table: string, during: () => Promise<void>) {
  if (!bucket) throw new Error('There is no such bucket.');
  await bucket.unsafe(`alter table ${table} rename to hidden`);
  try {
    await during();
  } finally {
    await bucket.unsafe(`alter table hidden rename to ${table}`);
  }
}
