import type { Pool } from '#db/connect.ts';
import { bucketSchemas } from '#db/scope.ts';
import { bucketTables, sharedTables } from '#db/table-homes.ts';

/** Returns the address under which tables of buckets are found as one. */
export function joinedUrl(url: string): string {
  const joined = new URL(url);
  joined.searchParams.set('options', '-csearch_path=joined,public');
  return joined.href;
}

/**
 * Makes a schema in which each table of buckets is a view of the rows of all of them. What is written through it goes to the
 * bucket of its supporter. The product has no such schema: its statements never leave a bucket.
 */
export async function joinBuckets(admin: Pool, { isOnNodes = false } = {}): Promise<void> {
  await admin.unsafe(`drop schema if exists joined cascade; create schema joined; ${literals}; ${store}; ${write}`);
  await makeViews(admin, bucketSchemas(admin.scope), isOnNodes);
  for (const table of [...bucketTables, ...sharedTables])
    await admin.unsafe(`
      create trigger write instead of insert or update or delete on joined.${table}
      for each row execute function joined.write(${admin.scope.buckets})`);
}

/** On nodes a view reads through a function, as Citus changes no view of its tables and joins few of them. */
async function makeViews(db: Pool, schemas: string[], isOnNodes: boolean): Promise<void> {
  const relations = await db<{ name: string; isShared: boolean }[]>`
    select relname as name, to_regclass('public.' || relname) is not null as "isShared" from pg_class
    where relnamespace = ${schemas[0] ?? ''}::regnamespace and relkind in ('r', 'p', 'v') and not relispartition`;
  for (const { name, isShared } of relations) {
    const homes = isShared ? ['public', ...schemas] : schemas;
    const rows = homes.map((schema) => `select * from ${schema}.${name}`);
    const all = rows.join(' union all ');
    if (isOnNodes)
      await db.unsafe(`
        create table joined.row_of_${name} (like ${homes.at(-1)}.${name}); -- its own: nodes need not know the function
        create function joined.all_of_${name}() returns setof joined.row_of_${name} language plpgsql as $all$
        begin return query ${all}; end $all$`);
    await db.unsafe(`create view joined.${name} as ${isOnNodes ? `select * from joined.all_of_${name}()` : all}`);
  }
}

/** Returns columns of a row as literals. */
const literals = `
  create function joined.literals("table" text, of jsonb, columns text[]) returns text[] language plpgsql as $literals$
  declare
    written text[];
  begin
    execute format('select array[%s]::text[] from jsonb_populate_record(null::%s, $1) filled', (
      select string_agg(format('quote_nullable((filled).%I::text)', each), ', ') from unnest(columns) each
    ), "table") into strict written using of;
    return written;
  end
  $literals$`;

/**
 * Writes a row of a table in a statement of literals, which nodes take. Sets only columns with another value, as triggers ask
 * which, and leaves those without one to their defaults.
 */
const store = `
  create function joined.store(op text, home text, name text, before jsonb, after jsonb) returns jsonb language plpgsql as $store$
  declare
    "table" text := format('%I.%I', home, name);
    keys text[] := array(
      select attname::text from pg_index join pg_attribute on attrelid = indrelid and attnum = any (indkey)
      where indrelid = "table"::regclass and indisprimary);
    columns text[] := array(
      select key from jsonb_each(after) where value is distinct from coalesce(before -> key, 'null'));
    own text;
    stored record;
  begin
    if columns = '{}' then columns := '{supporter_id}'; end if;
    if op <> 'INSERT' then
      select string_agg(format('%I = %s', key, value), ' and ') into own
      from unnest(keys, joined.literals("table", before, keys)) as held (key, value);
    end if;
    perform set_config('search_path', home || ', public', true); -- in which the triggers of its tables find others
    execute case op
      when 'INSERT' then format('insert into %s (%s) values (%s)', "table",
        (select string_agg(quote_ident(each), ', ') from unnest(columns) each),
        array_to_string(joined.literals("table", after, columns), ', '))
      when 'UPDATE' then format('update %s set %s where %s', "table", (
        select string_agg(format('%I = %s', key, value), ', ')
        from unnest(columns, joined.literals("table", after, columns)) as changed (key, value)), own)
      else format('delete from %s where %s', "table", own)
    end || ' returning *' into strict stored;
    perform set_config('search_path', 'joined, public', true);
    return to_jsonb(stored);
  end
  $store$`;

/** Writes a row of a view where its supporter is; in control, if it has none. */
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
