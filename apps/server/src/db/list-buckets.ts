import type { Db, Pool } from './connect.ts';
import { inEachBucket } from './in-each-bucket.ts';
import { schemaOf } from './scope.ts';

export interface BucketSize {
  supporters: number;
  bytes: number;
}

export interface ListedBucket {
  bucket: number;
  /** Null where one server has all buckets. */
  node: string | null;
  /** Absent where the node does not answer. */
  size?: BucketSize;
}

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

export async function listBuckets(db: Pool): Promise<ListedBucket[]> {
  const sizes = await inEachBucket(db, sizeOf);
  return sizes.map((size, bucket) => ({ bucket, node: null, size }));
}
