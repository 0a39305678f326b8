import { cents } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { auditBooks } from '#features/core/ledger/audit-books.ts';
import { emptiedDatabase } from '#testing/database.ts';
import { aClock } from '#testing/makers.ts';
import { type Correction, correctLedger } from './correct-ledger.ts';
import { readPlatformBooks } from './platform-accounts.ts';

const database = emptiedDatabase();
const correction: Correction = {
  id: 'fee-2026-11',
  debit: 'fees',
  credit: 'provider_float',
  amount: cents(1250),
  reason: 'the provider keeps its fee',
};
const correct = (overrides: Partial<Correction> = {}) =>
  correctLedger({ db: database.pool, clock: aClock() }, { ...correction, ...overrides });

test('a correction is booked once under its id, on both accounts, with its reason in the audit log', async () => {
  expect(await Promise.all([correct(), correct()])).toContainEqual({ result: 'booked' });
  expect(await correct()).toEqual({ result: 'booked before' });
  expect(await correct({ amount: cents(1) })).toEqual({ result: 'another' });
  expect((await readPlatformBooks(database.pool)).balances).toMatchObject({ fees: 1250, provider_float: -1250 });
  const entries = await database.rows`select details from audit_log where action = 'corrected the ledger'`;
  expect(entries).toMatchObject([{ details: { reason: 'the provider keeps its fee', cents: 1250 } }]);
  expect((await auditBooks(database.pool)).violations).toEqual([]);
});
