import type { Pool } from '#db/connect.ts';
import { bucketSchemas } from '#db/scope.ts';

/** Returns the address under which tables of buckets are found as one. */
export const joinedUrl = (url: string): string => `${url}?options=-csearch_path%3Djoined,public`;

/**
 * Makes a schema in which each table of buckets is a view of the rows of all of them. What is written through it goes
 * to the bucket of its supporter. The product has no such schema: its statements never leave a bucket.
 */
export async function joinBuckets(admin: Pool): Promise<void> {
  const schemas = bucketSchemas(admin.scope);
  const relations = await admin<{ name: string; isShared: boolean; isTable: boolean }[]>`
    select relname as name, to_regclass('public.' || relname) is not null as "isShared", relkind <> 'v' as "isTable" from pg_class
    where relnamespace = ${schemas[0] ?? ''}::regnamespace and relkind in ('r', 'p', 'v') and not relispartition`;
  await admin.unsafe(`create schema joined; ${write}`);
  for (const { name, isShared, isTable } of relations) {
    const homes = isShared ? ['public', ...schemas] : schemas;
    const rows = homes.map((schema) => `select * from ${schema}.${name}`);
    await admin.unsafe(`create view joined.${name} as ${rows.join(' union all ')}`);
    if (isTable)
      await admin.unsafe(`
        create trigger write instead of insert or update or delete on joined.${name}
        for each row execute function joined.write(${schemas.length})`);
  }
}

/**
 * Writes a row of a view where its supporter is; in control, if it is nobody's. Sets only columns with another value, as
 * triggers ask which, and leaves those without one to their defaults.
 */
const write = `
  create function joined.write() returns trigger language plpgsql as $write$
  declare
    before jsonb := coalesce(to_jsonb(old), '{}');
    after jsonb := coalesce(to_jsonb(new), '{}');
    supporter text := nullif(after || before ->> 'supporter_id', '00000000-0000-0000-0000-000000000000');
    number bigint := (('x' || left(supporter, 8))::bit(32)::bigint * tg_argv[0]::bigint) >> 32;
    home text := coalesce('bucket_' || lpad(number::text, 2, '0'), 'public');
    "table" text := format('%I.%I', home, tg_table_name);
    own text;
    columns text;
    written text;
  begin
    select string_agg(format('stored.%1$I = ($1).%1$I', attname), ' and ') into own
    from pg_index join pg_attribute on attrelid = indrelid and attnum = any (indkey)
    where indrelid = "table"::regclass and indisprimary;
    select coalesce(string_agg(quote_ident(key), ', '), 'supporter_id'),
      coalesce(string_agg(format('($2).%I', key), ', '), '($2).supporter_id') into columns, written
    from jsonb_each(after) where value is distinct from coalesce(before -> key, 'null');
    perform set_config('search_path', home || ', public', true); -- in which the triggers of its tables find others
    if tg_op = 'INSERT' then
      execute format('insert into %s (%s) select %s returning *', "table", columns, written) into new using old, new;
    elsif tg_op = 'UPDATE' then
      execute format('update %s stored set (%s) = row(%s) where %s returning stored.*', "table", columns, written, own)
      into strict new using old, new;
    else
      execute format('delete from %s stored where %s', "table", own) using old;
    end if;
    perform set_config('search_path', 'joined, public', true);
    if tg_op = 'DELETE' then return old; end if;
    return new;
  end
  $write$`;
