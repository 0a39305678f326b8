import type { Db, Pool } from './connect.ts';
import { ifReachable } from './database-answers.ts';
import { schemaOf } from './scope.ts';
import { controlName } from './servers.ts';

export interface BucketSize {
  supporters: number;
  bytes: number;
}

export interface ListedBucket {
  bucket: number;
  server: string;
  movingTo: string | null;
  formerServer: string | null;
  /** Absent where the server does not answer. */
  size?: BucketSize;
}

type Recorded = Omit<ListedBucket, 'size'>;

export async function countSupporters(bucket: Db): Promise<number> {
  const [{ supporters } = { supporters: 0 }] = await bucket<{ supporters: number }[]>`
    select count(*)::int as supporters from supporters`;
  return supporters;
}

async function sizeOf(bucket: Db): Promise<BucketSize> {
  const schema = schemaOf(bucket.scope);
  const [{ bytes } = { bytes: 0 }] = await bucket<{ bytes: number }[]>`
    select coalesce(sum(pg_total_relation_size(oid)), 0)::bigint as bytes from pg_class
    where relkind = 'r' and relnamespace = ${schema}::regnamespace`;
  return { supporters: await countSupporters(bucket), bytes };
}

/** Lists buckets with their servers and sizes. */
export async function listBuckets(db: Pool): Promise<ListedBucket[]> {
  const recorded = await db<Recorded[]>`
    select bucket, server, moving_to as "movingTo", former_server as "formerServer" from bucket_servers`;
  const listed: ListedBucket[] = [];
  for (const [bucket, pool] of db.inBuckets().entries()) {
    const known = recorded.find((each) => each.bucket === bucket);
    const line: ListedBucket = known ?? { bucket, server: controlName, movingTo: null, formerServer: null };
    await ifReachable(async () => {
      line.size = await sizeOf(pool);
    });
    listed.push(line);
  }
  return listed;
}
