import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Db } from '#db/connect.ts';
import { aDatabase, type TestDatabase } from '#testing/database.ts';
import { fillBooks } from '#testing/fill-books.ts';
import { seededBugs } from '#testing/seeded-bugs.ts';
import { auditBooks, checks } from './audit-books.ts';
import type { Finding } from './check.ts';
import { checksOfIdentity } from './checks-of-identity.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await aDatabase();
  await fillBooks(database);
});
afterAll(() => database.drop());

const withIdentity = { ...checks, ...checksOfIdentity };

/** Returns the audit's violations with a bug, which is undone. */
async function violationsWith(bug: (tx: Db) => Promise<unknown>): Promise<string[]> {
  let violations: string[] = [];
  await database.pool
    .begin(async (tx) => {
      await tx`set local session_replication_role = replica`; // neither triggers nor foreign keys stand in its way
      await bug(tx);
      ({ violations } = await auditBooks(tx, withIdentity));
      throw new Error('undo');
    })
    .catch((error: Error) => {
      if (error.message !== 'undo') throw error;
    });
  return violations;
}

test('healthy books have no violations, and every check has looked at something', async () => {
  const { violations, checked } = await auditBooks(database.pool, withIdentity);
  expect(violations).toEqual([]);
  expect(Object.entries(checked).filter(([, count]) => count === 0)).toEqual([]);
});

describe.each(Object.entries(seededBugs))('the check "%s"', (name, seeded) => {
  test.each(Object.entries(seeded))('bites when %s', async (_bug, bug) => {
    const violations = await violationsWith(bug);
    expect(violations.filter((violation) => violation.startsWith(`${name}: `))).not.toEqual([]);
  });
});

test('for every check there is a seeded bug', () => {
  expect(Object.keys(seededBugs).toSorted()).toEqual(Object.keys(withIdentity).toSorted());
});

test('a supporter whose address is not that of their user is named by id, and neither address is', async () => {
  const violations = await violationsWith((tx) => tx`update identity.users set email = 'other@example.com'`);
  const rows = await database.pool<{ id: string }[]>`
    select supporter_id as id from supporters where closed_on is null order by supporter_id`;
  expect(violations.toSorted()).toEqual(
    rows.map(
      ({ id }) =>
        `an open account has the address of its identity user: supporter ${id} has another address than their identity user`,
    ),
  );
  expect(violations.join()).not.toContain('@');
});

test('an audit that finds more than can be printed counts the rest', async () => {
  const { violations, found, checked } = await auditBooks(database.pool, {
    'nothing is odd': (db) => db<Finding[]>`
      select format('number %s is odd', number) as violation, 1 as checked from generate_series(1, 300000, 2) number`,
  });
  expect(found).toBe(150_000);
  expect(checked).toEqual({ 'nothing is odd': 150_000 });
  expect(violations).toHaveLength(101);
  expect(violations[0]).toBe('nothing is odd: number 1 is odd');
  expect(violations.at(-1)).toBe('nothing is odd: and 149900 more');
});
