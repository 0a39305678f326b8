import type { Pool } from '#db/connect.ts';
import { bucketSchemas } from '#db/scope.ts';
import { controlName } from '#db/servers.ts';
import { bucketTables, sharedTables } from '#db/table-homes.ts';

/** Returns the address under which tables of buckets are found as one. */
export const joinedUrl = (url: string): string => `${url}?options=-csearch_path%3Djoined,public`;

/**
 * Makes a schema in which each table of buckets is a view of the rows of all of them, also of those on further servers. What
 * is written through it goes to the bucket of its supporter. The product has no such schema: its statements never leave a bucket.
 */
export async function joinBuckets(admin: Pool, further: Record<string, string> = {}): Promise<void> {
  const heldBy = (server: string) =>
    bucketSchemas(admin.scope).filter((_, bucket) => admin.servers.holders[bucket] === server);
  const names = Object.keys(further);
  for (const name of names) {
    const server = admin.on(admin.servers.named(name));
    await server.unsafe(`create schema joined; ${store}; ${receiveWrites}`);
    await makeViews(server, heldBy(name));
  }
  await admin.unsafe(`create schema joined; ${store}; ${write}`);
  for (const [name, url] of Object.entries(further)) await admin.unsafe(linkTo(name, new URL(url)));
  await makeViews(admin, [...heldBy(controlName), ...names.map((name) => `joined_${name}`)]);
  for (const table of [...bucketTables, ...sharedTables])
    await admin.unsafe(`
      create trigger write instead of insert or update or delete on joined.${table}
      for each row execute function joined.write(${admin.scope.buckets})`);
}

/** Lets the joined tables of a further server be read from control, and its `writes` be written to. */
const linkTo = (name: string, { hostname, port, pathname, username, password }: URL): string => `
  create extension if not exists postgres_fdw schema joined;
  create server ${name} foreign data wrapper postgres_fdw
    options (host '${hostname}', port '${port}', dbname '${pathname.slice(1)}');
  create user mapping for public server ${name} options (user '${username}', password '${password}');
  create schema joined_${name};
  import foreign schema joined from server ${name} into joined_${name}`;

/** Points control's links at further servers' databases of other names, after all of them were copied. */
export async function linkAgain(admin: Pool, further: Record<string, string>): Promise<void> {
  for (const [name, url] of Object.entries(further))
    await admin.unsafe(`alter server ${name} options (set dbname '${new URL(url).pathname.slice(1)}')`);
}

async function makeViews(db: Pool, schemas: string[]): Promise<void> {
  const relations = await db<{ name: string; isShared: boolean }[]>`
    select relname as name, to_regclass('public.' || relname) is not null as "isShared" from pg_class
    where relnamespace = ${schemas[0] ?? ''}::regnamespace and relkind in ('r', 'p', 'v', 'f')
      and relname <> 'writes' and not relispartition`;
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
    holder text := (select server from public.bucket_servers where bucket = number);
    stored jsonb;
  begin
    if holder <> 'control' then
      execute format('insert into joined_%s.writes values ($1, $2, $3, $4, $5) returning after', holder)
      into stored using tg_op, home, tg_table_name, before, after;
    else
      stored := joined.store(tg_op, home, tg_table_name, before, after);
    end if;
    if tg_op = 'DELETE' then return old; end if;
    return jsonb_populate_record(new, stored);
  end
  $write$`;

/** Carries out each write that is inserted as a row here. */
const receiveWrites = `
  create view joined.writes as
    select null::text as op, null::text as home, null::text as name, null::jsonb as before, null::jsonb as after;
  create function joined.receive() returns trigger language plpgsql as $receive$
  begin
    new.after := joined.store(new.op, new.home, new.name, new.before, new.after);
    return new;
  end
  $receive$;
  create trigger receive instead of insert on joined.writes for each row execute function joined.receive()`;
