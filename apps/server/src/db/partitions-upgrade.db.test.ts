import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { cents, isoDate } from '@sparechange/domain';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { appendToAuditLog } from '#audit/audit-log.ts';
import { auditBooks } from '#features/core/ledger/audit-books.ts';
import { legsOf, postTransfer, type Transfer } from '#features/core/ledger/post.ts';
import { makePartitions } from '#features/supporters/retention/make-partitions.ts';
import { ownDatabase } from '#testing/database.ts';
import { connect, type Pool } from './connect.ts';
import { migrate } from './migrate.ts';
import { grantProductRole } from './product-role.ts';

const beside = ownDatabase(1);
const name = `upgraded_${randomUUID().replaceAll('-', '')}`;
const role = `product_of_${name}`;
const [supporterId, source, clubId] = [randomUUID(), randomUUID(), randomUUID()];
const transfer: Transfer = {
  supporterId,
  source,
  clubId,
  kind: 'recorded',
  bookedOn: isoDate('2026-11-25'),
  legs: { pledged: cents(100), promised: cents(-100) },
};
const entry = { supporterId, at: new Date('2026-11-25'), actor: 'supporter', action: 'paused round-ups' };

let url: string;
let owner: Pool;
/** Connections of the version before, with the statements that they have prepared. */
let product: Pool;
beforeAll(async () => {
  const before = await mkdtemp(join(tmpdir(), 'sparechange-before-'));
  await cp(new URL('./migrations/', import.meta.url), before, {
    recursive: true,
    filter: (path) => !path.endsWith('.sql') || basename(path) < '20261128100000',
  });
  await beside.pool.unsafe(`create database ${name}`);
  await beside.pool.unsafe(`create role ${role} login password 'product'`);
  url = beside.url.replace(/\/[^/]+$/, `/${name}`);
  owner = connect(url, { max: 3 });
  await migrate(owner, undefined, before);
  await rm(before, { recursive: true });
  await grantProductRole(owner, role);
  product = connect(url.replace(/\/\/[^@]+@/, `//${role}:product@`), { max: 1 });
});
afterAll(async () => {
  await Promise.all([owner.end(), product.end()]);
  await beside.pool.unsafe(`drop database ${name} with (force)`);
  await beside.pool.unsafe(`drop role ${role}`);
});

const seen = async () => {
  const [row] = await product`
    select (select count(*)::int from ledger_entries) as entries, (select count(*)::int from audit_log) as log,
      (select sum(cents)::int from whole_journal where account = 'pledged') as journal,
      (select count(*)::int from gift_entries) as gifts,
      (select cents from ledger_balances where account = 'pledged') as pledged`;
  return row;
};

test('earlier rows stay, and the version before keeps its statements and rights', async () => {
  await postTransfer(product, transfer);
  await appendToAuditLog(product, entry);
  expect(await seen()).toEqual({ entries: 2, log: 1, journal: 100, gifts: 0, pledged: 100 });
  const applied = await migrate(owner);
  expect(applied).toContain('20261128100100_ledger_by_year.sql');
  expect(await seen()).toEqual({ entries: 2, log: 1, journal: 100, gifts: 0, pledged: 100 });
  await postTransfer(product, transfer);
  const debit = { amount: cents(40), savings: cents(0), kind: 'round-up' as const };
  await postTransfer(product, { ...transfer, source: randomUUID(), kind: 'submitted', legs: legsOf.submitted(debit) });
  await appendToAuditLog(product, entry);
  expect(await seen()).toEqual({ entries: 4, log: 2, journal: 60, gifts: 0, pledged: 60 });
  await expect(product`select 1 from ledger_entries_default`).rejects.toThrow('permission denied');
  expect((await auditBooks(owner)).violations.filter((violation) => /trigger|entry|chain/.test(violation))).toEqual([]);
});

test('partitions are made beside them, and nothing is lost', async () => {
  expect(await makePartitions({ db: product })).toEqual({ made: 2, busy: 0 });
  expect(await seen()).toEqual({ entries: 4, log: 2, journal: 60, gifts: 0, pledged: 60 });
});

test('a partition is attached without reading the default one under the lock', async () => {
  const client = new pg.Client({ connectionString: url });
  const messages: string[] = [];
  client.on('notice', ({ message = '' }) => messages.push(message));
  await client.connect();
  await client.query('set client_min_messages = debug1');
  for (const _step of ['guarded', 'made'])
    await client.query(`select make_partition('ledger_entries', 'source', year_to_prepare() + 1)`);
  await client.end();
  expect(messages).toContainEqual(
    'updated partition constraint for default partition "ledger_entries_default" is implied by existing constraints',
  );
});
