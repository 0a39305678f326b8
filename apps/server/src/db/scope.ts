import { bucketOf } from '@sparechange/domain/bucket';

/** The tables that a handle reaches by their names (docs/decisions/buckets.md#why-whole-schemas). */
export interface Scope {
  /** The number of the database's buckets. */
  buckets: number;
  /** The number of the bucket, where there are several. */
  bucket?: number;
  /** Schemas in which names are looked up; without it, those of the connection. */
  path?: string;
}

/** The schema `public` is the only bucket, and control besides. */
export const oneBucket: Scope = { buckets: 1 };

export const bucketSchema = (number: number): string => `bucket_${String(number).padStart(2, '0')}`;

/** Returns the schemas that hold tables of supporters. */
export const bucketSchemas = ({ buckets }: Scope): string[] =>
  buckets === 1 ? ['public'] : Array.from({ length: buckets }, (_, number) => bucketSchema(number));

/** Returns whether a scope is one of several buckets. */
export const isOfOneBucket = ({ bucket }: Scope): boolean => bucket !== undefined;

/** Returns the schema in which a scope's names are looked up first. */
export const schemaOf = ({ path }: Scope): string => path?.split(',')[0] ?? 'public';

/** Returns the scope of control tables alone. */
export const controlScope = ({ buckets }: Scope): Scope => (buckets === 1 ? oneBucket : { buckets, path: 'public' });

/** Returns whether supporters' tables are reached: control alone has none. */
export const hasSupporters = ({ path }: Scope): boolean => path !== 'public';

const scopeOfBucket = (bucket: number, buckets: number): Scope => ({
  buckets,
  bucket,
  path: `${bucketSchema(bucket)}, public`,
});

export const bucketScopes = ({ buckets }: Scope): Scope[] =>
  buckets === 1 ? [oneBucket] : Array.from({ length: buckets }, (_, bucket) => scopeOfBucket(bucket, buckets));

/** Returns the scope of the bucket that holds a supporter. */
export const scopeOf = (supporterId: string, { buckets }: Scope): Scope =>
  buckets === 1 ? oneBucket : scopeOfBucket(bucketOf(supporterId, buckets), buckets);
