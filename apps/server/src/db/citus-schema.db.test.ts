import { expect, test } from 'vitest';
import { ownDatabase } from '#testing/database.ts';
import { referenceTables } from './table-homes.ts';

/** The tables of one bucket, of which all others are like it. */
const database = ownDatabase(2, { isJoined: false });

const ofBucket = `c.relnamespace = 'bucket_00'::regnamespace`;

// Citus refuses some statements in a distributed schema, and loses others on the way to another node (docs/decisions/buckets.md#citus).
test.each([
  [
    'a key leads out of its bucket to a table that is no reference',
    `select conname from pg_constraint join pg_class c on c.oid = conrelid join pg_class target on target.oid = confrelid
     where contype = 'f' and ${ofBucket} and target.relnamespace <> c.relnamespace and target.relname <> all($1)`,
  ],
  [
    'a key leads into a bucket from outside',
    `select conname from pg_constraint join pg_class c on c.oid = confrelid join pg_class source on source.oid = conrelid
     where contype = 'f' and ${ofBucket} and source.relnamespace <> c.relnamespace and $1::text[] is not null`,
  ],
  [
    'a table has no primary key, without which it cannot move while it is written to',
    `select c.relname from pg_class c where ${ofBucket} and c.relkind in ('r', 'p') and $1::text[] is not null
       and not exists (select from pg_index where indrelid = c.oid and indisprimary)`,
  ],
  [
    'a table is unlogged, inherits, or is foreign',
    `select c.relname from pg_class c where ${ofBucket} and $1::text[] is not null and (c.relpersistence = 'u' or c.relkind = 'f'
       or exists (select from pg_inherits join pg_class parent on parent.oid = inhparent
         where inhrelid = c.oid and parent.relkind not in ('p', 'I')))`,
  ],
  [
    'a number is made by a sequence of less than 64 bits, which nodes cannot share',
    `select c.relname from pg_class c join pg_sequence on seqrelid = c.oid
     where ${ofBucket} and $1::text[] is not null and seqtypid <> 'bigint'::regtype`,
  ],
  [
    'a routine that reads its bucket leaves open where its names are looked up',
    `select proname from pg_proc where pronamespace = 'bucket_00'::regnamespace and $1::text[] is not null
       and not coalesce(array_to_string(proconfig, ' ') ~ 'search_path=bucket_00', false)
       and proname not in ('audit_hash', 'link_audit_entry')`,
  ],
])('no table is refused because %s', async (_why, query) => {
  const { pool } = database;
  const found = await pool.unsafe(query.replaceAll('$1', `'{${referenceTables.join(',')}}'::text[]`));
  expect([...found]).toEqual([]);
});
