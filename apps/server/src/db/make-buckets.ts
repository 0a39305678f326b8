import { StartProblem } from '#errors.ts';
import type { Db, Pool } from './connect.ts';
import { bucketSchema, bucketSchemas } from './scope.ts';

/** The name of this database's own server in `bucket_servers`. */
const ownServer = 'control';

interface RecordedBucket {
  bucket: number;
  server: string;
  movingTo: string | null;
}

interface Layout {
  /** True if the tables of supporters do not exist yet. */
  isNew: boolean;
  recorded: RecordedBucket[];
  /** The bucket schemas that exist. */
  schemas: string[];
  /** The number of buckets that a first start recorded. */
  begunWith: number | null;
}

async function listSchemas(db: Db): Promise<string[]> {
  const rows = await db<
    { name: string }[]
  >`select nspname::text as name from pg_namespace where nspname ~ '^bucket_[0-9]+$'`;
  return rows.map(({ name }) => name);
}

async function readLayout(control: Db): Promise<Layout> {
  const [tables] = await control<{ isWhole: boolean; isRecorded: boolean; begunWith: number | null }[]>`
    select to_regclass('public.supporters') is not null as "isWhole", to_regclass('public.bucket_servers') is not null as "isRecorded",
      substring(obj_description(to_regclass('migrations'), 'pg_class') from '^BUCKETS=([0-9]+)$')::int as "begunWith"`;
  const recorded = tables?.isRecorded
    ? await control<RecordedBucket[]>`
        select bucket, server, to_jsonb(recorded) ->> 'moving_to' as "movingTo" from bucket_servers recorded order by bucket`
    : [];
  const schemas = await listSchemas(control);
  return {
    isNew: !tables?.isWhole && recorded.length + schemas.length === 0,
    recorded: [...recorded],
    schemas,
    begunWith: tables?.begunWith ?? null,
  };
}

/** Throws StartProblem if a bucket is on another server, or being moved to one. */
function refuseMovedBuckets(recorded: RecordedBucket[]): void {
  const elsewhere = recorded.filter(({ server, movingTo }) => server !== ownServer || movingTo !== null);
  const [first] = elsewhere;
  if (!first) return;
  const names = [...new Set(elsewhere.map(({ server, movingTo }) => (server === ownServer ? movingTo : server)))];
  throw new StartProblem(
    `Buckets are kept on the server of DATABASE_URL alone, and of this database some are on other servers or on their way (bucket ${elsewhere.map(({ bucket }) => bucket).join(', ')}; ${names.join(', ')}): bring each back with the version before this one (ops buckets move ${first.bucket} ${ownServer}).`,
  );
}

/**
 * Returns whether the database is new, and whether it records every bucket as made. Throws StartProblem if a bucket is
 * missing or on another server, or if the number of buckets differs from that of the database or of an interrupted
 * first start.
 */
export async function findBuckets(pool: Pool): Promise<{ isNew: boolean; areRecorded: boolean }> {
  const { buckets } = pool.scope;
  const { isNew, recorded, schemas, begunWith } = await readLayout(pool);
  refuseMovedBuckets(recorded);
  if (isNew && begunWith !== null && begunWith !== buckets)
    throw new StartProblem(
      `A first start with BUCKETS=${begunWith} was broken off and may have made part of the database. Set BUCKETS=${begunWith} to finish it, or start with a new DATA_DIR or new databases to have ${buckets}.`,
    );
  const existing = Math.max(recorded.length, schemas.length, 1);
  if (!isNew && existing !== buckets)
    throw new StartProblem(
      `The database was made with ${existing} buckets of supporters and cannot be opened with ${buckets}: the number never changes. Set BUCKETS=${existing}.`,
    );
  const missingSchema = recorded.map(({ bucket }) => bucketSchema(bucket)).find((schema) => !schemas.includes(schema));
  if (missingSchema)
    throw new StartProblem(`The database has no ${missingSchema}, which it was made with: restore all of its schemas.`);
  return { isNew, areRecorded: buckets === 1 || recorded.length === buckets };
}

/** Records the number of buckets before any is made, so that an interrupted first start resumes with it. */
export async function recordBucketCount(pool: Pool): Promise<void> {
  await pool.inControl().unsafe(`comment on table migrations is 'BUCKETS=${pool.scope.buckets}'`);
}

/**
 * Creates the missing schemas, where there are several buckets. Sends nothing if none is missing: on a cluster each
 * schema change needs every node.
 */
export async function makeBuckets(pool: Pool): Promise<void> {
  const schemas = await listSchemas(pool);
  const missing = bucketSchemas(pool.scope).filter((schema) => schema !== 'public' && !schemas.includes(schema));
  if (missing.length === 0) return;
  await pool.unsafe(missing.map((schema) => `create schema if not exists ${schema}`).join(';')); // all of them or none
}

/** Records every bucket as made; doing so again changes nothing. */
export async function recordBuckets(pool: Pool): Promise<void> {
  if (pool.scope.buckets === 1) return;
  await pool`
    insert into bucket_servers (bucket, server)
    select bucket, ${ownServer} from generate_series(0, ${pool.scope.buckets - 1}) bucket on conflict do nothing`;
}
