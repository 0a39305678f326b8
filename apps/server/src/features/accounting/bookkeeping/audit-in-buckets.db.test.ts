import { isoDate } from '@sparechange/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db, Pool } from '#db/connect.ts';
import { controlTables } from '#db/table-homes.ts';
import { auditBooks, checks } from '#features/core/ledger/audit-books.ts';
import type { Check } from '#features/core/ledger/check.ts';
import { checksOfIdentity } from '#features/core/ledger/checks-of-identity.ts';
import { checksOfGuards, guards } from '#features/core/ledger/checks-of-ledger.ts';
import { noteAddressChange } from '#identity/follow-changes.ts';
import { auditMutations, violationsAfter } from '#testing/audit-mutations.ts';
import { aDatabase, type TestDatabase } from '#testing/database.ts';
import { beforeBucket } from '#testing/disturbed-buckets.ts';
import { fillBooks } from '#testing/fill-books.ts';
import { auditChanges, auditListed } from './audit-changes.ts';

let database: TestDatabase;
let bucket: Pool;
beforeAll(async () => {
  database = await aDatabase(4);
  const [, , third = database.pool] = database.pool.inBuckets();
  bucket = third;
  await fillBooks({ ...database, pool: bucket, rows: bucket, bucket });
});
afterAll(() => database.drop());

const since = isoDate('2026-11-15');
const withIdentity = { ...checks, ...checksOfIdentity };

test('books with everybody in one of four buckets have no violations', async () => {
  const { violations, checked } = await auditBooks(database.pool, withIdentity);
  expect(violations).toEqual([]);
  expect(Object.entries(checked).filter(([, count]) => count === 0)).toEqual([]);
  expect(await auditChanges(database.pool, since)).toMatchObject({ violations: [], leftOut: 0 });
});

test('triggers are counted where they were checked', async () => {
  const inBuckets = Object.entries(guards).filter(([table]) => !controlTables.includes(table));
  const { checked } = await auditBooks(bucket, checksOfGuards);
  expect(Object.values(checked)).toEqual([inBuckets.flatMap(([, triggers]) => triggers).length]);
});

const inBucket = (tx: Db): Db => tx.inBuckets()[2] ?? tx;

test("every fault in one bucket is found by its check, and supporters' faults with the name of the bucket", async () => {
  const missed: string[] = [];
  for (const [name, check] of Object.entries(withIdentity))
    for (const [what, change] of Object.entries(auditMutations[name] ?? {})) {
      const [first = ''] = await violationsAfter(
        database.pool,
        change,
        async (tx) => (await auditBooks(tx, { [name]: check })).violations,
        inBucket,
      );
      if (!first.startsWith(`${name}: `)) missed.push(`${name}, when ${what}`);
      if (check.home === 'bucket' && !first.endsWith(' (bucket_02)')) missed.push(`its bucket, when ${what}`);
    }
  expect(missed).toEqual([]);
}, 120_000);

test.each([
  'balances equal the journal',
  'each debit equals its round-ups less its refunds',
  'each receipt adds up to the journal',
])('an audit of some days finds in a bucket that "%s" does not hold', async (name) => {
  const [change = ''] = Object.values(auditMutations[name] ?? {});
  const violations = await violationsAfter(
    database.pool,
    change,
    async (tx) => (await auditListed(inBucket(tx), since)).audit.violations,
    inBucket,
  );
  expect(violations.filter((violation) => violation.startsWith(`${name}: `))).not.toEqual([]);
});

const ofAddresses = 'an open account has the address of its identity user';
const auditAddresses = (pool = database.pool) =>
  auditBooks(pool, { [ofAddresses]: checksOfIdentity[ofAddresses] as Check });

test('an address that changes between the reading of control and of its bucket is no violation', async () => {
  const [one] = await bucket<{ uid: string; email: string }[]>`
    select uid, email from supporters where closed_on is null order by supporter_id limit 1`;
  const changeTo = async (email: string) => {
    await database.pool`update identity.users set email = ${email} where uid = ${one?.uid ?? ''}`;
    await bucket`update supporters set email = ${email} where uid = ${one?.uid ?? ''}`;
  };
  let reads = 0;
  const changing = beforeBucket(database.pool, async () => {
    reads += 1;
    if (reads === 1) await changeTo('new@example.com');
  });
  const audit = await auditAddresses(changing);
  await changeTo(one?.email ?? '');
  expect(audit).toMatchObject({ violations: [], found: 0 });
  expect(reads).toBe(2 * 4); // it was found, and checked again
});

test('an address that the product has not yet followed is no violation', async () => {
  const [one] = await bucket<{ uid: string; email: string }[]>`
    select uid, email from supporters where closed_on is null order by supporter_id limit 1`;
  const changeTo = (email: string) =>
    database.pool`update identity.users set email = ${email} where uid = ${one?.uid ?? ''}`;
  await changeTo('newer@example.com');
  const { found } = await auditAddresses();
  await database.pool.begin((tx) => noteAddressChange(tx, one?.uid ?? ''));
  const noted = await auditAddresses();
  await database.pool`delete from identity.address_changes`;
  await changeTo(one?.email ?? '');
  expect([found, noted.found]).toEqual([1, 0]);
});

test('an audit of everything lists a bucket that it cannot read, and finds violations in the others', async () => {
  await database.pool.unsafe('alter table bucket_03.debits rename to debits_gone');
  await bucket`update ledger_balances set cents = cents + 1 where account = 'cash'`;
  const { violations, found } = await auditBooks(database.pool, withIdentity).finally(async () => {
    await bucket`update ledger_balances set cents = cents - 1 where account = 'cash'`;
    await database.pool.unsafe('alter table bucket_03.debits_gone rename to debits');
  });
  expect(violations.filter((violation) => violation.startsWith('bucket_03'))).toEqual([
    expect.stringMatching(/^bucket_03 was not audited from ".*" on: relation "debits" does not exist$/),
  ]);
  expect(violations).toContainEqual(expect.stringMatching(/^balances equal the journal: .* \(bucket_02\)$/));
  expect(violations).toContainEqual(
    expect.stringMatching(/^a club is below zero only after a reversal or a refund: was not checked: /),
  );
  expect(found).toBeGreaterThanOrEqual(violations.length);
});
