import { connect, type Pool } from '#db/connect.ts';
import { engines } from '#db/engine.ts';
import { prepareSchema } from '#db/prepare-schema.ts';
import { bucketSchemas } from '#db/scope.ts';
import { listFilled } from './filled-tables.ts';
import { joinBuckets } from './join-buckets.ts';
import { setGuardsAside } from './set-guards-aside.ts';

/**
 * The address, as its owner, of the one database of a Citus cluster that `npm test -- --citus` uses for every file in turn.
 * It is emptied before each, so its name has to begin with `test`.
 */
export const citusUrl = process.env.TEST_CITUS;

/** Returns its addresses from CITUS_URL, the product's role, and CITUS_OWNER_URL; nothing where there is no cluster. */
export function clusterUrls(): { url: string; productUrl: string } | undefined {
  const { CITUS_URL: productUrl, CITUS_OWNER_URL: url = productUrl } = process.env;
  return url && productUrl ? { url, productUrl } : undefined;
}

/** Tables whose rows migrations make, never emptied. */
const kept = ['migrations', 'bucket_servers', 'closed_days', 'version'];

async function refuseOthers(owner: Pool): Promise<void> {
  const [{ name } = { name: '' }] = await owner<{ name: string }[]>`select current_database()::text as name`;
  if (!name.startsWith('test'))
    throw new Error(`Tests empty their database: the name of ${name} has to begin with test.`);
}

/** Empties a database, append-only tables included: its owner may set `session_replication_role`, as docs/testing.md says. */
export async function emptyTables(owner: Pool): Promise<void> {
  await refuseOthers(owner);
  const schemas = ['public', 'identity', 'direct_entry', 'pgboss', ...bucketSchemas(owner.scope)];
  const filled = await listFilled(owner, schemas, kept);
  await owner.begin(async (tx) => {
    await setGuardsAside(tx);
    for (const table of filled) await tx.unsafe(`delete from ${table}`);
    await tx`insert into product_clock default values on conflict do nothing`;
  });
}

/** Drops all that the owner has made in a database for tests, so that the next start is a first one. */
export async function dropEverything(url: string): Promise<void> {
  const owner = connect(url, { max: 1 });
  try {
    await refuseOthers(owner);
    const [own] = await owner<
      { schemas: string | null; tables: string | null; routines: string | null; types: string | null }[]
    >`
      select
        (select string_agg(quote_ident(nspname), ', ') from pg_namespace
          where pg_has_role(nspowner, 'usage') and nspname !~ '^pg_' and nspname <> 'public') as schemas,
        (select string_agg(quote_ident(relname), ', ') from pg_class where relnamespace = 'public'::regnamespace
          and relkind in ('r', 'p') and not relispartition and relowner = current_user::regrole) as tables,
        (select string_agg(oid::regprocedure::text, ', ') from pg_proc
          where pronamespace = 'public'::regnamespace and proowner = current_user::regrole) as routines,
        (select string_agg(quote_ident(typname), ', ') from pg_type
          where typnamespace = 'public'::regnamespace and (typtype in ('e', 'd') or exists (select from pg_class where oid = typrelid and relkind = 'c')) and typowner = current_user::regrole) as types`;
    if (own?.schemas) await owner.unsafe(`drop schema ${own.schemas} cascade`);
    // together: Citus would turn the rest into plain ones
    if (own?.tables) await owner.unsafe(`drop table ${own.tables} cascade`);
    if (own?.routines) await owner.unsafe(`drop routine if exists ${own.routines} cascade`);
    if (own?.types) await owner.unsafe(`drop type if exists ${own.types} cascade`);
  } finally {
    await owner.end();
  }
}

/** Lists the schemas of buckets that a database has. */
const listBuckets = async (owner: Pool): Promise<string[]> =>
  (
    await owner<
      { name: string }[]
    >`select nspname::text as name from pg_namespace where nspname ~ '^bucket_' order by 1`
  ).map(({ name }) => name);

/** Migrates the database and distributes its buckets; one with another number of them is made from scratch. */
export async function prepareOnNodes(owner: Pool, url: string): Promise<void> {
  const there = await listBuckets(owner);
  if (there.length > 0 && there.join() !== bucketSchemas(owner.scope).join()) await dropEverything(url);
  await prepareSchema(owner, undefined, engines.citus);
}

const prepared = new Set<string>();

/** Returns the database of a run to what it was when it was new; the first time it is prepared. */
export async function emptyDatabase(url: string, buckets: number): Promise<void> {
  const owner = connect(url, { max: 3, buckets });
  try {
    if (!prepared.has(url)) {
      await prepareOnNodes(owner, url);
      await joinBuckets(owner, { isOnNodes: true });
    }
    prepared.add(url);
    await emptyTables(owner);
  } finally {
    await owner.end();
  }
}
