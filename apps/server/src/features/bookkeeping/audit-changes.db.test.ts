import { isoDate } from '@sparechange/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Db } from '#db/connect.ts';
import { auditBooks, checksBySupporter, checksOfTheWhole } from '#features/ledger/audit-books.ts';
import { auditMutations, violationsAfter } from '#testing/audit-mutations.ts';
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

/** Finds what is wrong with the days since, and with the whole. */
const findViolations = async (tx: Db): Promise<string[]> => [
  ...(await auditBooks(tx, checksOfTheWhole, since)).violations,
  ...(await auditListed(tx, since, {})).violations,
];

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
    const violations = await violationsAfter(database.pool, change, findViolations);
    expect(violations.filter((violation) => violation.startsWith(`${name}: `))).not.toEqual([]);
  });
});
