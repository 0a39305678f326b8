import type { Pool } from '#db/connect.ts';

/** Lists the tables of some schemas that have rows, on any node; partitions by their whole. */
export async function listFilled(pool: Pool, schemas: string[], without: string[]): Promise<string[]> {
  const tables = await pool<{ schema: string; name: string }[]>`
    select relnamespace::regnamespace::text as schema, format('%I.%I', relnamespace::regnamespace, relname) as name
    from pg_class where relnamespace = any(${schemas}::regnamespace[]) and relkind in ('r', 'p') and not relispartition
      and relname <> all(${without}) order by 1`;
  const filled = [];
  for (const each of new Set(tables.map(({ schema }) => schema))) {
    const ofSchema = tables.filter(({ schema }) => schema === each).map(({ name }) => name);
    const asked = ofSchema.map((name) => `select '${name}' as name where exists (select from ${name})`);
    filled.push(...(await pool.unsafe<{ name: string }[]>(asked.join(' union all '))));
  }
  return filled.map(({ name }) => name);
}

/** Lists tables that may have rows, in no time. On a cluster the coordinator's have no pages: the rows are on nodes. */
export async function listWithPages(pool: Pool, schemas: string[], without: string[]): Promise<string[]> {
  const tables = await pool<{ name: string }[]>`
    select format('%I.%I', relnamespace::regnamespace, relname) as name from pg_class
    where relnamespace = any(${schemas}::regnamespace[]) and relkind = 'r' and relname <> all(${without})
      and pg_relation_size(oid) > 0`;
  return tables.map(({ name }) => name);
}
