import { isoDate } from '@sparechange/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Db } from '#db/connect.ts';
import { auditBooks, checksBySupporter, checksOfTheWhole } from '#features/ledger/audit-books.ts';
import { aDatabase, type TestDatabase } from '#testing/database.ts';
import { fillBooks } from '#testing/fill-books.ts';
import { seededBugs } from '#testing/seeded-bugs.ts';
import { auditSupporters } from './audit-changes.ts';

/** Everything of the filled books but what happened in May and October is after this day. */
const since = isoDate('2026-11-15');

let database: TestDatabase;
beforeAll(async () => {
  database = await aDatabase();
  await fillBooks(database);
});
afterAll(() => database.drop());

/** Returns what an audit of the days since finds with a bug, which is undone. */
async function violationsWith(bug: (tx: Db) => Promise<unknown>): Promise<string[]> {
  let violations: string[] = [];
  await database.pool
    .begin(async (tx) => {
      await tx`set local session_replication_role = replica`; // neither triggers nor foreign keys stand in its way
      await bug(tx);
      violations = [
        ...(await auditBooks(tx, checksOfTheWhole, since)).violations,
        ...(await auditSupporters(tx, since, {})).violations,
      ];
      throw new Error('undo');
    })
    .catch((error: Error) => {
      if (error.message !== 'undo') throw error;
    });
  return violations;
}

test('an audit of some days finds healthy books in order, and every check looks at something', async () => {
  const { violations, checked } = await database.pool.begin((tx) => auditSupporters(tx, since, {}));
  expect(violations).toEqual([]);
  expect(Object.entries(checked).filter(([, count]) => count === 0)).toEqual([]);
});

const bugsOfSomeDays = Object.entries(seededBugs).filter(
  ([name]) => name in checksBySupporter || name in checksOfTheWhole,
);

describe.each(bugsOfSomeDays)('in an audit of some days the check "%s"', (name, seeded) => {
  test.each(Object.entries(seeded))('bites when %s', async (_bug, bug) => {
    const violations = await violationsWith(bug);
    expect(violations.filter((violation) => violation.startsWith(`${name}: `))).not.toEqual([]);
  });
});
