import type { Pool } from '#db/connect.ts';

/** Lists the tables, over all schemas, of which a row holds a text. */
export async function tablesWith(db: Pool, text: string): Promise<string[]> {
  const tables = await db<{ schema: string; name: string }[]>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema') order by 1, 2`;
  const found: string[] = [];
  for (const { schema, name } of tables) {
    const rows = await db`select from ${db(schema)}.${db(name)} as kept where strpos(kept::text, ${text}) > 0 limit 1`;
    if (rows.count > 0) found.push(name);
  }
  return found;
}
