import type { Db } from '#db/connect.ts';

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
