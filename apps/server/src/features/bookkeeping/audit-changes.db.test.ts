import { isoDate } from '@sparechange/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditBooks, checksBySupporter, checksOfTheWhole } from '#features/ledger/audit-books.ts';
import { auditMutations } from '#testing/audit-mutations.ts';
import { aDatabase, type TestDatabase } from '#testing/database.ts';
import { fillBooks } from '#testing/fill-books.ts';
import { auditListed } from './audit-changes.ts';

/** Everything of the filled books but what happened in May and October is after this day. */
const since = isoDate('2026-11-15');

let database: TestDatabase;
beforeAll(async () => {
  database = await aDatabase(1); // audit-in-buckets.db.test.ts makes faults in one of four
  await fillBooks(database);
});
afterAll(() => database.drop());

/** Returns what an audit of the days since finds after a change in SQL, which is undone. */
async function violationsAfter(change: string): Promise<string[]> {
  let violations: string[] = [];
  await database.pool
    .begin(async (tx) => {
      await tx`set local session_replication_role = replica`; // neither triggers nor foreign keys stand in its way
      await tx.unsafe(change);
      violations = [
        ...(await auditBooks(tx, checksOfTheWhole, since)).violations,
        ...(await auditListed(tx, since, {})).violations,
      ];
      throw new Error('undo');
    })
    .catch((error: Error) => {
      if (error.message !== 'undo') throw error;
    });
  return violations;
}

test('an audit of some days finds healthy books in order, and every check looks at something', async () => {
  const { violations, checked } = await database.pool.begin((tx) => auditListed(tx, since, {}));
  expect(violations).toEqual([]);
  expect(Object.entries(checked).filter(([, count]) => count === 0)).toEqual([]);
});

const mutationsOfSomeDays = Object.entries(auditMutations).filter(
  ([name]) => name in checksBySupporter || name in checksOfTheWhole,
);

describe.each(mutationsOfSomeDays)('in an audit of some days the check "%s"', (name, mutations) => {
  test.each(Object.entries(mutations))('fails when %s', async (_what, change) => {
    const violations = await violationsAfter(change);
    expect(violations.filter((violation) => violation.startsWith(`${name}: `))).not.toEqual([]);
  });
});
