import { StartProblem } from '#errors.ts';
import type { Db, Pool } from './connect.ts';
import { bucketSchema, bucketSchemas } from './scope.ts';
import { controlName, type DatabaseServer } from './servers.ts';

/** Names of the servers of buckets by number, where a database says so. */
type Recorded = Map<number, string>;

interface Layout {
  /** True where nobody has the tables of supporters yet. */
  isNew: boolean;
  recorded: Recorded;
  /** Schemas of buckets that control has. */
  inControl: string[];
  /** The number of buckets that a first start began with. */
  begunWith: number | null;
}

async function listSchemas(db: Db): Promise<string[]> {
  const found = await db<
    { name: string }[]
  >`select nspname::text as name from pg_namespace where nspname ~ '^bucket_[0-9]+$'`;
  return found.map(({ name }) => name);
}

async function readLayout(control: Db): Promise<Layout> {
  const [tables] = await control<{ isWhole: boolean; isRecorded: boolean; begunWith: number | null }[]>`
    select to_regclass('public.supporters') is not null as "isWhole", to_regclass('public.bucket_servers') is not null as "isRecorded",
      substring(obj_description(to_regclass('migrations'), 'pg_class') from '^BUCKETS=([0-9]+)$')::int as "begunWith"`;
  const rows = tables?.isRecorded
    ? await control<{ bucket: number; server: string }[]>`select bucket, server from bucket_servers`
    : [];
  const inControl = await listSchemas(control);
  return {
    isNew: !tables?.isWhole && rows.length + inControl.length === 0,
    recorded: new Map(rows.map(({ bucket, server }) => [bucket, server])),
    inControl,
    begunWith: tables?.begunWith ?? null,
  };
}

/** The servers of buckets, by number. */
interface Holders {
  holders: string[];
  /** True before each bucket is made for the first time. */
  isNew: boolean;
  /** True once control says so of every bucket, or there is one alone. */
  areRecorded: boolean;
}

/**
 * Returns the server of each bucket: as recorded, else control's where it has the bucket already, else each further
 * server in turn an equal share. Throws StartProblem for another number of buckets than the database was made with, or a first
 * start that was broken off began with, and for a server that is not named.
 */
export async function findHolders(pool: Pool): Promise<Holders> {
  const { buckets } = pool.scope;
  const { isNew, recorded, inControl, begunWith } = await readLayout(pool);
  if (isNew && begunWith !== null && begunWith !== buckets)
    throw new StartProblem(
      `A first start with BUCKETS=${begunWith} was broken off and may have made part of the database. Set BUCKETS=${begunWith} to finish it, or start with a new DATA_DIR or new databases to have ${buckets}.`,
    );
  const made = Math.max(recorded.size, inControl.length, 1);
  if (!isNew && made !== buckets)
    throw new StartProblem(
      `The database was made with ${made} buckets of supporters and cannot be opened with ${buckets}: the number never changes. Set BUCKETS=${made}.`,
    );
  const others = pool.servers.all.slice(1).map(({ name }) => name);
  const holders = Array.from({ length: buckets }, (_, bucket) => {
    const share = others[Math.floor((bucket * others.length) / buckets)] ?? controlName;
    return recorded.get(bucket) ?? (inControl.includes(bucketSchema(bucket)) ? controlName : share);
  });
  const unknown = holders.find((name) => name !== controlName && !others.includes(name));
  if (unknown) {
    const theirs = holders.flatMap((name, bucket) => (name === unknown ? [bucket] : []));
    throw new StartProblem(
      `BUCKET_SERVERS does not name the server ${unknown}, which holds buckets ${theirs.join(', ')}.`,
    );
  }
  return { holders, isNew, areRecorded: buckets === 1 || recorded.size === buckets };
}

/** Returns the schemas of buckets that a server holds: its `public` where there is one bucket alone. */
export const schemasHeld = (pool: Pool, server: DatabaseServer, holders: string[]): string[] =>
  bucketSchemas(pool.scope).filter((_, bucket) => holders[bucket] === server.name);

/** Notes the number of buckets before anything is made, so that a first start that is broken off goes on with the same. */
export async function noteFirstStart(pool: Pool): Promise<void> {
  await pool.inControl().unsafe(`comment on table migrations is 'BUCKETS=${pool.scope.buckets}'`);
}

/** Makes the schemas of a server's buckets; throws StartProblem where a bucket that is recorded there has none. */
export async function makeBuckets(pool: Pool, server: DatabaseServer, schemas: string[]): Promise<void> {
  const db = pool.on(server);
  const present = await listSchemas(db);
  const { recorded } = await readLayout(pool);
  const isRecorded = (schema: string) => recorded.has(bucketSchemas(pool.scope).indexOf(schema));
  const lost = schemas.find((schema) => isRecorded(schema) && !present.includes(schema));
  if (lost)
    throw new StartProblem(`The server ${server.name} of BUCKET_SERVERS has no ${lost}, which is recorded there.`);
  await db.unsafe(schemas.map((schema) => `create schema if not exists ${schema}`).join(';')); // all of them or none
}

/** Records the server of each bucket, once. */
export async function recordHolders(pool: Pool, holders: string[]): Promise<void> {
  await pool`
    insert into bucket_servers (bucket, server)
    select place - 1, server from unnest(${holders}::text[]) with ordinality as held (server, place)
    on conflict do nothing`;
}
