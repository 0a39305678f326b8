import type { Pool } from '#db/connect.ts';
import { bucketSchemas } from '#db/scope.ts';
import { bucketTables, sharedTables } from '#db/table-homes.ts';

/** Returns the address under which tables of buckets are found as one. */
export const joinedUrl = (url: string): string => `${url}?options=-csearch_path%3Djoined,public`;

/**
 * Makes a schema in which each table of buckets is a view of the rows of all of them. What is written through it goes to the
 * bucket of its supporter. The product has no such schema: its statements never leave a bucket.
 */
export async function joinBuckets(admin: Pool): Promise<void> {
  await admin.unsafe(`create schema joined; ${store}; ${write}`);
  await makeViews(admin, bucketSchemas(admin.scope));
  for (const table of [...bucketTables, ...sharedTables])
    await admin.unsafe(`
      create trigger write instead of insert or update or delete on joined.${table}
      for each row execute function joined.write(${admin.scope.buckets})`);
}

async function makeViews(db: Pool, schemas: string[]): Promise<void> {
  const relations = await db<{ name: string; isShared: boolean }[]>`
    select relname as name, to_regclass('public.' || relname) is not null as "isShared" from pg_class
    where relnamespace = ${schemas[0] ?? ''}::regnamespace and relkind in ('r', 'p', 'v') and not relispartition`;
  for (const { name, isShared } of relations) {
    const homes = isShared ? ['public', ...schemas] : schemas;
    const rows = homes.map((schema) => `select * from ${schema}.${name}`);
    await db.unsafe(`create view joined.${name} as ${rows.join(' union all ')}`);
  }
}

/** Writes a row of a table. Sets only columns with another value, as triggers ask which, and leaves those without one to their defaults. */
const store = `
  create function joined.store(op text, home text, name text, before jsonb, after jsonb) returns jsonb language plpgsql as $store$
  declare
    "table" text := format('%I.%I', home, name);
    own text;
    columns text;
    stored jsonb;
  begin
    select string_agg(format('stored.%1$I = before.%1$I', attname), ' and ') into own
    from pg_index join pg_attribute on attrelid = indrelid and attnum = any (indkey)
    where indrelid = "table"::regclass and indisprimary;
    select coalesce(string_agg(quote_ident(key), ', '), 'supporter_id') into columns
    from jsonb_each(after) where value is distinct from coalesce(before -> key, 'null');
    perform set_config('search_path', home || ', public', true); -- in which the triggers of its tables find others
    execute format(case op
      when 'INSERT' then 'insert into %1$s as stored (%2$s) select %2$s from jsonb_populate_record(null::%1$s, $2)'
      when 'UPDATE' then 'update %1$s stored set (%2$s) = (select %2$s from jsonb_populate_record(null::%1$s, $2))
        from jsonb_populate_record(null::%1$s, $1) before where %3$s'
      else 'delete from %1$s stored using jsonb_populate_record(null::%1$s, $1) before where %3$s'
    end || ' returning to_jsonb(stored)', "table", columns, own) into strict stored using before, after;
    perform set_config('search_path', 'joined, public', true);
    return stored;
  end
  $store$`;

/** Writes a row of a view where its supporter is; in control, if it is nobody's. */
const write = `
  create function joined.write() returns trigger language plpgsql as $write$
  declare
    before jsonb := coalesce(to_jsonb(old), '{}');
    after jsonb := coalesce(to_jsonb(new), '{}');
    supporter text := nullif(after || before ->> 'supporter_id', '00000000-0000-0000-0000-000000000000');
    number bigint := (('x' || left(supporter, 8))::bit(32)::bigint * tg_argv[0]::bigint) >> 32;
    home text := coalesce('bucket_' || lpad(number::text, 2, '0'), 'public');
    stored jsonb;
  begin
    stored := joined.store(tg_op, home, tg_table_name, before, after);
    if tg_op = 'DELETE' then return old; end if;
    return jsonb_populate_record(new, stored);
  end
  $write$`;
