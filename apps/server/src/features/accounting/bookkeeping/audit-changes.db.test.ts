import { isoDate } from '@sparechange/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Db } from '#db/connect.ts';
import { auditBooks, checksBySupporter, checksOfTheWhole } from '#features/core/ledger/audit-books.ts';
import { type Finding, ofBuckets } from '#features/core/ledger/check.ts';
import { auditMutations, violationsAfter } from '#testing/audit-mutations.ts';
import { aDatabase, type TestDatabase } from '#testing/database.ts';
import { fillBooks } from '#testing/fill-books.ts';
import { auditListed } from './audit-changes.ts';

/** Day after which everything in the filled books lies, except events of May and October. */
const since = isoDate('2026-11-15');

let database: TestDatabase;
beforeAll(async () => {
  database = await aDatabase(1); // audit-in-buckets.db.test.ts makes faults in one of four
  await fillBooks(database);
});
afterAll(() => database.drop());

const mutationsOfSomeDays = Object.entries(auditMutations).filter(
  ([name]) => name in checksBySupporter || name in checksOfTheWhole,
);

/** In tables and views of a session, and in parts of each statement, as on a cluster. */
describe.each([
  ['beside tables of its session', { isOfCluster: false }],
  ['as on nodes of a cluster', { isOfCluster: true }],
])('an audit of some days %s', (_way, way) => {
  /** Finds violations in the days since, and in the whole. */
  const findViolations = async (tx: Db): Promise<string[]> => [
    ...(await auditBooks(tx, checksOfTheWhole, since)).violations,
    ...(await auditListed(tx, since, way)).audit.violations,
  ];

  test('finds no violations in healthy books, and every check examines something', async () => {
    const { audit } = await database.pool.begin((tx) => auditListed(tx, since, way));
    expect(audit.violations).toEqual([]);
    expect(Object.entries(audit.checked).filter(([, count]) => count === 0)).toEqual([]);
  });

  test.each([
    ['pauses', 'has no rows of an audit of its own'],
    ['gift_entries', 'is a view of everybody'],
    ['public.debits', 'passes by the rows that are read'],
    ['clubs', 'is not about supporters'],
  ])('refuses a check that reads %s, which %s', async (table) => {
    const wanted = ofBuckets({
      'everything counts': (db) => db<Finding[]>`select null as violation, count(*) as checked from ${db(table)}`,
    });
    await expect(database.pool.begin((tx) => auditListed(tx, since, { ...way, wanted }))).rejects.toThrow(
      `The check "everything counts" reads ${table}, which narrowed-tables.ts does not list.`,
    );
  });

  describe.each(mutationsOfSomeDays)('finds by the check "%s"', (name, mutations) => {
    test.each(Object.entries(mutations))('that %s', async (_what, change) => {
      const violations = await violationsAfter(database.pool, change, findViolations);
      expect(violations.filter((violation) => violation.startsWith(`${name}: `))).not.toEqual([]);
    });
  });
});
