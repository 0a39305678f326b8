import { StartProblem } from '#errors.ts';
import type { Db, Pool } from './connect.ts';
import { divideMigration, forBucket, type Homes } from './divide-migration.ts';
import { bucketSchemas, bucketScopes } from './scope.ts';
import { makeTag } from './tag.ts';

/** Makes the schemas of a new database's buckets; throws StartProblem where it was made with another number of them. */
export async function makeBuckets(pool: Pool): Promise<void> {
  const { buckets } = pool.scope;
  const [made] = await pool<{ buckets: number; isNew: boolean }[]>`
    select greatest(count(*), 1)::int as buckets, to_regclass('public.migrations') is null as "isNew"
    from pg_namespace where nspname ~ '^bucket_[0-9]+$'`;
  if (made && !made.isNew && made.buckets !== buckets)
    throw new StartProblem(
      `The database was made with ${made.buckets} buckets of supporters and cannot be opened with ${buckets}: the number never changes. Set BUCKETS=${made.buckets}.`,
    );
  if (buckets === 1) return;
  await pool.unsafe(
    bucketSchemas(pool.scope)
      .map((schema) => `create schema if not exists ${schema}`)
      .join(';'),
  );
}

/** Statements and the handle that runs them. */
interface PlacedText {
  db: Db;
  text: string;
}

/** Returns the parts of a migration, control before buckets: these refer to it. */
export async function placeMigration(db: Db, text: string): Promise<PlacedText[]> {
  if (db.scope.buckets === 1) return [{ db, text }];
  const { control, bucket } = divideMigration(text, await listHomes(db));
  const schemas = bucketSchemas(db.scope);
  const ofBuckets = bucketScopes(db.scope).map((scope, number) => ({
    db: makeTag(db.session, scope),
    text: forBucket(bucket, schemas[number] ?? '').join(';\n'),
  }));
  return [{ db, text: control.join(';\n') }, ...ofBuckets].filter(({ text }) => text !== '');
}

/** Lists where relations and routines are; the first bucket is like the others. */
async function listHomes(db: Db): Promise<Homes> {
  const first = bucketSchemas(db.scope)[0] ?? '';
  const found = await db<{ name: string; control: boolean; bucket: boolean }[]>`
    select name, bool_or(space = 'public') as control, bool_or(space = ${first}) as bucket
    from (select relname::text as name, relnamespace::regnamespace::text as space from pg_class where relkind <> 'c'
      union all select proname, pronamespace::regnamespace::text from pg_proc) as named
    where space in ('public', ${first}) group by name`;
  return new Map(found.map(({ name, control, bucket }) => [name, { control, bucket }]));
}
