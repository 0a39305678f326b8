import type { Db, Pool } from './connect.ts';
import { readMigrations } from './migrate.ts';
import { placeMigration } from './place-migration.ts';
import { bucketSchema } from './scope.ts';
import type { DatabaseServer } from './servers.ts';

/** The tables of a bucket could not be copied as they are. */
export class CopyDiffers extends Error {
  override name = 'CopyDiffers';
}

interface Table {
  /** Quoted, with its schema. */
  name: string;
  columns: string[];
  /** Types of all columns, in their order: rows travel as text of their whole. */
  shape: string;
}

/** Lists the tables of a schema, without partitions; generated columns are not among those to write. */
export const tablesOf = (db: Db, schema: string) => db<Table[]>`
  select format('%I.%I', ${schema}::text, relname) as name,
    array_agg(quote_ident(attname) order by attnum) filter (where attgenerated = '') as columns,
    string_agg(attname || ' ' || format_type(atttypid, atttypmod), ', ' order by attnum) as shape
  from pg_class class join pg_attribute attribute on attrelid = class.oid
  where relnamespace = ${schema}::regnamespace and relkind in ('r', 'p') and not relispartition and attnum > 0 and not attisdropped
  group by relname order by relname`;

/** Makes a bucket's schema, without rows, as migrations make it. */
async function makeSchema(tx: Db, server: DatabaseServer, bucket: number): Promise<void> {
  const schema = bucketSchema(bucket);
  await tx.unsafe(`drop schema if exists ${schema} cascade; create schema ${schema}`);
  for (const { divided } of await readMigrations(tx.scope.buckets)) {
    const own = { ...divided, control: [], server: [] };
    for (const { db, text } of placeMigration(tx, own, { name: server.name, schemas: [schema] }))
      await db.unsafe(text.replaceAll(/ concurrently /gi, ' '));
  }
}

/** Makes the partitions that a bucket has where it is held, so that its rows are divided in the same way. */
async function makePartitions(from: Db, tx: Db, schema: string): Promise<void> {
  const partitions = await from<{ make: string }[]>`
    select format('create table %I.%I partition of %I.%I %s', ${schema}::text, part.relname, ${schema}::text, whole.relname,
      pg_get_expr(part.relpartbound, part.oid)) as make
    from pg_class part join pg_inherits on inhrelid = part.oid join pg_class whole on whole.oid = inhparent
    where part.relnamespace = ${schema}::regnamespace and part.relispartition and part.relkind = 'r'
      and pg_get_expr(part.relpartbound, part.oid) <> 'DEFAULT'`;
  for (const { make } of partitions) await tx.unsafe(make);
}

const pageSize = 5_000;

async function copyTable(from: Db, to: Db, { name, columns }: Table): Promise<void> {
  const list = columns.join(', ');
  const rows = from<{ row: string }[]>`select each::text as row from ${from.unsafe(name)} each`;
  for await (const page of rows.cursor(pageSize))
    await to`
      insert into ${to.unsafe(`${name} (${list})`)} overriding system value
      select ${to.unsafe(list)} from unnest(${page.map(({ row }) => row)}::text[]::${to.unsafe(name)}[])`;
}

/** Returns the number of rows and a sum over what is in them. */
async function sumOf(db: Db, { name }: Table): Promise<string> {
  const [sum] = await db<{ text: string }[]>`
    select count(*) || ' ' || coalesce(sum(hashtextextended(each::text, 0)), 0) as text from ${db.unsafe(name)} each`;
  return sum?.text ?? '';
}

/** Lets identity columns go on after the last number that was given. */
async function copySequences(from: Db, to: Db, schema: string): Promise<void> {
  const sequences = await from<{ name: string; last: string | null }[]>`
    select format('%I.%I', schemaname, sequencename) as name, last_value::text as last
    from pg_sequences where schemaname = ${schema}`;
  for (const { name, last } of sequences) if (last) await to`select setval(${name}::text::regclass, ${last}::bigint)`;
}

/** Closes the days that are closed on another server. */
async function closeDaysOf(other: Db, tx: Db): Promise<void> {
  const [days] = await other<{ until: string | null }[]>`select closed_until::text as until from public.closed_days`;
  if (!days?.until) return;
  await tx`
    insert into public.closed_days as days (closed_until) values (${days.until}::date)
    on conflict (singleton) do update set closed_until = greatest(days.closed_until, excluded.closed_until)`;
}

/**
 * Makes a bucket anew on a server with every row that it has where it is held; its writers are kept off meanwhile. Throws
 * CopyDiffers, and leaves nothing, where it became another.
 */
export async function copyBucket(from: Db, target: Pool, server: DatabaseServer, bucket: number): Promise<void> {
  const schema = bucketSchema(bucket);
  await target.begin(async (tx) => {
    await makeSchema(tx, server, bucket);
    await makePartitions(from, tx, schema);
    const [theirs, ours] = [await tablesOf(from, schema), await tablesOf(tx, schema)];
    const shapes = (tables: readonly Table[]) => JSON.stringify(tables.map(({ name, shape }) => [name, shape]));
    if (shapes(theirs) !== shapes(ours))
      throw new CopyDiffers('The two servers have other tables: start the product once, which migrates both.');
    const keys = await tx<{ drop: string; add: string }[]>`
      select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
        format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as add
      from pg_constraint where connamespace = ${schema}::regnamespace and contype = 'f'`;
    for (const { drop } of keys) await tx.unsafe(drop);
    for (const table of ours) {
      await tx.unsafe(`alter table ${table.name} disable trigger user`);
      await copyTable(from, tx, table);
      await tx.unsafe(`alter table ${table.name} enable trigger user`);
      const [wanted, found] = [await sumOf(from, table), await sumOf(tx, table)];
      if (wanted !== found) throw new CopyDiffers(`${table.name} became another: ${wanted}, copied ${found}.`);
    }
    for (const { add } of keys) await tx.unsafe(add);
    await copySequences(from, tx, schema);
    await tx.unsafe(ours.map(({ name }) => `analyze ${name}`).join(';'));
    await tx`select pg_advisory_xact_lock(hashtext('sparechange.close days'))`;
    for (const other of [from, target.inControl()]) await closeDaysOf(other, tx);
  });
}
