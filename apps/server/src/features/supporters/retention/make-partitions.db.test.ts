import { randomUUID } from 'node:crypto';
import { cents, isoDate } from '@sparechange/domain';
import { beforeAll, expect, test } from 'vitest';
import { appendToAuditLog } from '#audit/audit-log.ts';
import type { Db, Pool } from '#db/connect.ts';
import { legsOf, postTransfer, type Transfer } from '#features/core/ledger/post.ts';
import { ownDatabase } from '#testing/database.ts';
import { makePartitions } from './make-partitions.ts';

const database = ownDatabase(2, { isJoined: false });
let bucket: Pool;
let year: number;

/** Creates the UUIDv7 of a June day of a year. */
async function idOf(ofYear: number): Promise<string> {
  const [row] = await database.pool<{ id: string }[]>`
    select uuidv7(make_timestamptz(${ofYear}::int, 6, 15, 0, 0, 0, 'UTC') - now()) as id`;
  return row?.id ?? '';
}

const aTransfer = (source: string, overrides: Partial<Transfer> = {}): Transfer => ({
  supporterId: randomUUID(),
  kind: 'recorded',
  source,
  clubId: randomUUID(),
  bookedOn: isoDate('2026-11-25'),
  legs: { pledged: cents(100), promised: cents(-100) },
  ...overrides,
});

/** Returns the partition, without its schema, of each row. */
const partsOf = async (db: Db, table: string, supporterId: string) =>
  (
    await db.unsafe<{ part: string }[]>(
      `select tableoid::regclass::text as part from ${table} where supporter_id = '${supporterId}' order by 1`,
    )
  ).map(({ part }) => part.replace(/^\w+\./, ''));

const balances = async (supporterId: string) =>
  Object.fromEntries(
    (
      await bucket<{ account: string; cents: number }[]>`
        select account, cents from ledger_balances where supporter_id = ${supporterId} and cents <> 0`
    ).map((row) => [row.account, row.cents]),
  );

const guards = (db: Db) => db`
  select conname from pg_constraint where conname like 'none\\_of\\_%' and connamespace = current_schema()::regnamespace`;

const run = () => makePartitions({ db: database.pool });

let stray: Transfer;
beforeAll(async () => {
  bucket = database.pool.inBuckets()[0] as Pool;
  const [row] = await bucket<{ year: number }[]>`select year_to_prepare() as year`;
  year = row?.year ?? 0;
  const id = await idOf(year);
  stray = aTransfer(`${id.slice(0, 14)}4${id.slice(15)}`); // a random id whose first bits happen to be a time of that year
  await postTransfer(bucket, stray);
});

test('if a long reader locks the ledger, only its partition is left to the next night', async () => {
  const reader = await bucket.reserve();
  await reader.unsafe('begin; select count(*) from ledger_entries');
  expect(await run()).toEqual({ made: 4, busy: 1 });
  await reader.unsafe('commit');
  reader.release();
  expect(await run()).toEqual({ made: 1, busy: 0 });
});

test('partitions are made once in every home, and no guard is left', async () => {
  expect(await run()).toEqual({ made: 0, busy: 0 });
  for (const home of [database.pool, ...database.pool.inBuckets()]) {
    expect([...(await guards(home))]).toEqual([]);
    const [found] = await home.unsafe(`select to_regclass('audit_log_${year}') is not null as there`);
    expect(found).toEqual({ there: true });
  }
});

test('an existing entry of the year is moved to its partition, and neither lost nor duplicated', async () => {
  const both = [`ledger_entries_${year}`, `ledger_entries_${year}`];
  expect(await partsOf(bucket, 'ledger_entries', stray.supporterId)).toEqual(both);
  await postTransfer(bucket, stray);
  expect(await partsOf(bucket, 'ledger_entries', stray.supporterId)).toEqual(both);
  expect(await balances(stray.supporterId)).toEqual({ pledged: 100, promised: 100 });
});

test('a guard whose year has come too near is given up', async () => {
  await bucket`select make_partition('ledger_entries', 'source', ${year - 1})`;
  expect(await guards(bucket)).toHaveLength(1);
  await run();
  expect(await guards(bucket)).toHaveLength(0);
});

test('entries go to the partition of their source’s year, are posted once and add up to balances', async () => {
  const [now, next] = [aTransfer(await idOf(year - 1)), await idOf(year)];
  const { supporterId } = now;
  const debit = { amount: cents(100), savings: cents(0), kind: 'round-up' as const };
  const submitted = aTransfer(next, { supporterId, kind: 'submitted', legs: legsOf.submitted(debit) });
  for (const transfer of [now, submitted, now, submitted]) await postTransfer(bucket, transfer);
  expect(await partsOf(bucket, 'ledger_entries', supporterId)).toEqual(
    [year, year, 'default', 'default'].map((part) => `ledger_entries_${part}`),
  );
  expect(await balances(supporterId)).toEqual({ in_flight: 100, promised: 100 });
  await expect(postTransfer(bucket, { ...submitted, source: await idOf(year) })).rejects.toThrow('fall below zero');
});

test.each(['ledger_entries', 'audit_log'])('no row of %s is changed or deleted, in any partition', async (table) => {
  for (const statement of [
    `update ${table} set supporter_id = supporter_id`,
    `delete from ${table}`,
    `truncate ${table}`,
  ])
    await expect(bucket.unsafe(statement)).rejects.toThrow('is append-only');
});

test('the audit log’s chains continue across partitions', async () => {
  const supporterId = randomUUID();
  const entry = { supporterId, at: new Date(), actor: 'supporter', action: 'paused round-ups' };
  await appendToAuditLog(bucket, entry);
  await bucket`
    insert into audit_log (supporter_id, id, at, actor, action)
    values (${supporterId}, ${await idOf(year)}, now(), 'supporter', 'resumed round-ups')`;
  expect(await partsOf(bucket, 'audit_log', supporterId)).toEqual([`audit_log_${year}`, 'audit_log_default']);
  const links = await bucket<{ seq: number; isRight: boolean }[]>`
    select seq, hash = audit_entry_hash(previous, seq, supporter_id, id, at, actor, action, details) as "isRight"
    from audit_links join audit_log using (supporter_id, id) where supporter_id = ${supporterId} order by seq`;
  expect([...links]).toEqual([
    { seq: 1, isRight: true },
    { seq: 2, isRight: true },
  ]);
});
