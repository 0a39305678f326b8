import type { Db, Pool } from './connect.ts';
import { ifReachable } from './database-answers.ts';
import { bucketSchema } from './scope.ts';

/** The schema in which a former server keeps its copy of a bucket. */
export const formerSchema = (bucket: number): string => `former_${bucketSchema(bucket)}`;

/** Returns whether a server has handed a bucket over: the copy on the other server is the bucket then. */
export async function isHandedOver(source: Db, bucket: number): Promise<boolean> {
  const [former] = await source`select from pg_namespace where nspname = ${formerSchema(bucket)}`;
  return former !== undefined;
}

/** Records that a bucket is on the server to which it was moving. */
export async function recordMoved(control: Db, bucket: number): Promise<void> {
  await control`
    update bucket_servers set server = moving_to, moving_to = null, former_server = server
    where bucket = ${bucket} and moving_to is not null`;
}

/**
 * Records the moves that were broken off between the handing over of a bucket and its record
 * (docs/decisions/0132-bucket-moves.md). Of a server that does not answer, the next start does. Nobody may be moving a bucket.
 */
export async function finishMoves(pool: Pool): Promise<void> {
  const [table] = await pool<{ hasMoves: boolean }[]>`
    select exists (select from pg_attribute
      where attrelid = to_regclass('public.bucket_servers') and attname = 'moving_to') as "hasMoves"`;
  if (!table?.hasMoves) return;
  const moves = await pool<{ bucket: number; server: string }[]>`
    select bucket, server from bucket_servers where moving_to is not null order by bucket`;
  for (const { bucket, server } of moves) {
    const source = pool.servers.find(server);
    if (!source) continue;
    await ifReachable(async () => {
      if (await isHandedOver(pool.on(source), bucket)) await recordMoved(pool, bucket);
    });
  }
}
