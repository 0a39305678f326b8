import type { Db, Pool } from '@sparechange/server/db/connect.ts';

interface Definition {
  name: string;
  text: string;
}

const references = (db: Db, table: string) => db<Definition[]>`
  select conname as name, pg_get_constraintdef(oid) as text from pg_constraint
  where conrelid = ${table}::regclass and contype = 'f' order by 1`;

/** Primary keys and unique constraints to which no table refers. */
const keys = (db: Db, table: string) => db<Definition[]>`
  select conname as name, pg_get_constraintdef(oid) as text from pg_constraint key
  where conrelid = ${table}::regclass and contype in ('p', 'u') and not exists (
    select from pg_constraint reference where reference.contype = 'f' and reference.conindid = key.conindid)
  order by contype, conname`;

const plainIndexes = (db: Db, table: string) => db<Definition[]>`
  select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as text from pg_index
  where indrelid = ${table}::regclass and not exists (select from pg_constraint where conindid = indexrelid)
  order by 1`;

/** Fills a table fast: its indexes are made afterwards, as the migrations define them, and references are not looked up. */
export async function withoutIndexes(pool: Pool, table: string, fill: (tx: Db) => Promise<void>): Promise<void> {
  await pool.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`set local maintenance_work_mem = '512MB'`;
    const constraints = await keys(tx, table);
    const indexes = await plainIndexes(tx, table);
    for (const key of constraints) await tx.unsafe(`alter table ${table} drop constraint ${key.name}`);
    for (const index of indexes) await tx.unsafe(`drop index ${index.name}`);
    await fill(tx);
    for (const key of constraints) await tx.unsafe(`alter table ${table} add constraint ${key.name} ${key.text}`);
    for (const index of indexes) await tx.unsafe(index.text);
  });
}

/** Copies a table's columns, checks, keys, indexes and references. */
export async function makeTwin(pool: Pool, table: string, twin: string): Promise<void> {
  await pool.unsafe(`create table ${twin} (like ${table} including all)`);
  for (const { text } of await references(pool, table)) await pool.unsafe(`alter table ${twin} add ${text}`);
}
