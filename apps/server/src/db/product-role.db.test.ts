import { PgBoss } from 'pg-boss';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appendToAuditLog } from '#audit/audit-log.ts';
import { makePartitions } from '#features/supporters/retention/make-partitions.ts';
import { ownDatabase } from '#testing/database.ts';
import { aSupporter } from '#testing/makers.ts';
import { aPastDebit } from '#testing/past-debit.ts';
import { connect, type Pool } from './connect.ts';
import { grantProductRole, holdsItsRights, problemOfRole } from './product-role.ts';

const database = ownDatabase();
const role = 'product_under_test';
let product: Pool;
let productUrl: string;

beforeAll(async () => {
  await database.pool.unsafe(`create role ${role} login password 'product'`);
  await grantProductRole(database.pool, role);
  productUrl = database.url.replace(/\/\/[^@]+@/, `//${role}:product@`);
  product = connect(productUrl, { max: 2 });
  const supporter = await aSupporter(product);
  await aPastDebit(product, supporter, { day: '2026-11-06', amount: 400, savings: 200 });
  const { supporterId } = supporter;
  await appendToAuditLog(product, { supporterId, at: new Date(), actor: 'supporter', action: 'paused round-ups' });
});
afterAll(async () => {
  await product.end();
  await database.pool.unsafe(`drop owned by ${role}; drop role ${role}`);
});

describe('the role of the product', () => {
  test.each([
    `create temp table seen (line text); copy seen from program 'env'`,
    `select pg_read_binary_file('/proc/self/environ', 0, 60000)`,
    `select pg_read_file('/etc/passwd')`,
    'select lo_import($$/etc/passwd$$)',
    'alter table audit_log disable trigger all',
    'alter table ledger_entries disable trigger all',
    'set session_replication_role = replica',
    'drop trigger audit_log_append_only on audit_log',
    'create or replace function refuse_change() returns trigger language plpgsql as $$ begin return new; end $$',
    'create role another superuser',
    `alter role ${role} superuser`,
    'create database another',
    'create table public.mine (id int)',
    'create schema sparechange',
    'set role sparechange',
    ...[
      'audit_log',
      'audit_links',
      'audit_heads',
      'audit_checkpoints',
      'ledger_entries',
      'club_entries',
      'receipts',
      'bank_data_deletions',
    ].flatMap((table) => [`delete from ${table}`, `truncate ${table}`, `update ${table} set supporter_id = null`]),
    `insert into audit_links (supporter_id, seq, id, previous, hash) values (gen_random_uuid(), 1, gen_random_uuid(), '', 'x')`,
    `insert into audit_heads values (gen_random_uuid(), 1, 'x')`,
    'select link_audit_entry(supporter_id, id, at, actor, action, details) from audit_log',
    `update audit_log set action = 'nothing'`,
    `update ledger_entries set cents = 0`,
    'select 1 from ledger_entries_default',
    'insert into audit_log_default select * from audit_log',
    'delete from ledger_entries_default',
    `select make_partition('ledger_entries', 'source', 2099)`,
    'delete from ledger_balances',
    'truncate ledger_balances',
    `insert into migrations (name, hash) values ('x', 'y')`,
  ])('may not: %s', async (statement) => {
    await expect(product.unsafe(statement)).rejects.toThrow(/permission denied|must be|not permitted|does not exist/);
  });

  test('writes the audit log, whose chain its owner keeps', async () => {
    const [row] = await product`
      select count(*)::int as entries, (select count(*)::int from audit_links) as links from audit_log`;
    expect(row?.entries).toBeGreaterThan(0);
    expect(row?.links).toBe(row?.entries);
  });

  test('runs the job queues in their own schema, also over tables that the owner had made before', async () => {
    const before = new PgBoss({ connectionString: database.url, schema: 'pgboss' });
    before.on('error', () => {});
    await before.start();
    await before.stop({ graceful: false });
    await grantProductRole(database.pool, role);
    const boss = new PgBoss({ connectionString: productUrl, schema: 'pgboss', createSchema: false });
    boss.on('error', () => {});
    await boss.start();
    await boss.createQueue('a-queue');
    expect(await boss.send('a-queue', {})).toEqual(expect.any(String));
    expect(await boss.fetch('a-queue')).toHaveLength(1);
    await boss.deleteQueue('a-queue');
    await boss.stop({ graceful: false });
  });

  test('has partitions made, and no right on them', async () => {
    expect(await makePartitions({ db: product })).toEqual({ made: 2, busy: 0 });
    const rights = await database.pool`
      select has_table_privilege(${role}, oid, 'select, insert, update, delete') as has_any, count(*)::int as tables
      from pg_class where relispartition and relkind = 'r' and relnamespace = 'public'::regnamespace group by 1`;
    expect([...rights]).toEqual([{ has_any: false, tables: 4 }]);
  });

  test('granting again changes nothing', async () => {
    const grants = async () =>
      JSON.stringify(await database.pool`select relname, relacl::text from pg_class order by 1`);
    const before = await grants();
    await Promise.all([1, 2, 3].map(() => grantProductRole(database.pool, role)));
    expect(await grants()).toBe(before);
  });

  test.each([
    ['lacks a right', `revoke update on supporters from ${role}`],
    ['has one too many', `grant delete on audit_log to ${role}`],
    ['may not use a schema', `revoke usage on schema direct_entry from ${role}`],
    ['may not draw from a sequence', `create sequence drawn; revoke all on drawn from ${role}`],
  ])('sees unprompted that it %s, until the owner grants again', async (_what, change) => {
    expect(await holdsItsRights(product)).toBe(true);
    await database.pool.unsafe(change);
    expect(await holdsItsRights(product)).toBe(false);
    await grantProductRole(database.pool, role);
    expect(await holdsItsRights(product)).toBe(true);
  });
});

test('production takes a plain role, and neither a superuser nor the owner of the audit log', async () => {
  expect(await problemOfRole(product)).toBeUndefined();
  expect(await problemOfRole(database.pool)).toMatch(/is a superuser/);
  await database.pool.unsafe(
    `create role plain_owner; grant plain_owner to ${role}; alter table audit_log owner to plain_owner`,
  );
  expect(await problemOfRole(product)).toMatch(/owns the audit log/);
  await database.pool.unsafe(
    'alter table audit_log owner to sparechange; drop owned by plain_owner; drop role plain_owner',
  );
});
