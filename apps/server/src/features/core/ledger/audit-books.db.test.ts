import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Db } from '#db/connect.ts';
import { auditMutations, violationsAfter } from '#testing/audit-mutations.ts';
import { aDatabase, type TestDatabase } from '#testing/database.ts';
import { fillBooks } from '#testing/fill-books.ts';
import { auditBooks, checks } from './audit-books.ts';
import { type Finding, ofControl } from './check.ts';
import { checksOfIdentity } from './checks-of-identity.ts';
import { guards } from './checks-of-ledger.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await aDatabase(1); // audit-in-buckets.db.test.ts makes every fault in one of four
  await fillBooks(database);
});
afterAll(() => database.drop());

const withIdentity = { ...checks, ...checksOfIdentity };

const findViolations = async (tx: Db): Promise<string[]> => (await auditBooks(tx, withIdentity)).violations;

test('healthy books have no violations, and every check has examined something', async () => {
  const { violations, checked } = await auditBooks(database.pool, withIdentity);
  expect(violations).toEqual([]);
  expect(Object.entries(checked).filter(([, count]) => count === 0)).toEqual([]);
});

describe.each(Object.entries(auditMutations))('the check "%s"', (name, mutations) => {
  test.each(Object.entries(mutations))('fails when %s', async (_what, change) => {
    const violations = await violationsAfter(database.pool, change, findViolations);
    expect(violations.filter((violation) => violation.startsWith(`${name}: `))).not.toEqual([]);
  });
});

test('each check has a mutation', () => {
  expect(Object.keys(auditMutations).toSorted()).toEqual(Object.keys(withIdentity).toSorted());
});

test('every trigger that keeps a table append-only is checked', async () => {
  const triggers = await database.rows<{ table: string; trigger: string }[]>`
    select tgrelid::regclass::text as table, tgname as trigger from pg_trigger
    where tgname ~ '_(append_only|never_emptied)$' and tgparentid = 0`;
  expect(triggers.filter(({ table, trigger }) => !guards[table]?.includes(trigger))).toEqual([]);
  expect(triggers.length).toBeGreaterThan(10);
});

test("a supporter whose address differs from their user's is named by id, without either address", async () => {
  const violations = await violationsAfter(
    database.pool,
    "update identity.users set email = 'other@example.com'",
    findViolations,
  );
  const rows = await database.rows<{ id: string }[]>`
    select supporter_id as id from supporters where closed_on is null order by supporter_id`;
  expect(violations.toSorted()).toEqual(
    rows.map(
      ({ id }) =>
        `an open account has the address of its identity user: supporter ${id} has another address than their identity user`,
    ),
  );
  expect(violations.join()).not.toContain('@');
});

const waitsForUsers = (db: Db) => db<{ isWaiting: boolean }[]>`
  select exists (select from pg_locks where relation = 'identity.users'::regclass and not granted) as "isWaiting"`;

const ofAddresses = Object.fromEntries(Object.entries(checksOfIdentity).filter(([name]) => name.includes('address')));

test('a check reads supporters and identity users in one snapshot, however long the gap between the reads', async () => {
  const { audit } = await database.pool.begin(async (tx) => {
    await tx`lock table identity.users in access exclusive mode`;
    const audit = auditBooks(database.pool, ofAddresses);
    await vi.waitFor(async () => expect(await waitsForUsers(database.pool)).toEqual([{ isWaiting: true }]), 60_000);
    await tx`update identity.users set email = 'new-' || email`;
    await tx`update supporters set email = 'new-' || email`;
    return { audit };
  });
  expect((await audit).violations).toEqual([]);
});

test('an audit with more violations than can be printed counts the rest', async () => {
  const uneven = ofControl({
    'no number is uneven': (db) => db<Finding[]>`
      select format('number %s is uneven', number) as violation, 1 as checked from generate_series(1, 300000, 2) number`,
  });
  const { violations, found, checked } = await auditBooks(database.pool, uneven);
  expect(found).toBe(150_000);
  expect(checked).toEqual({ 'no number is uneven': 150_000 });
  expect(violations).toHaveLength(101);
  expect(violations[0]).toBe('no number is uneven: number 1 is uneven');
  expect(violations.at(-1)).toBe('no number is uneven: and 149900 more');
});
