import { afterEach, beforeEach, expect } from 'vitest';
import type { Pool } from '#db/connect.ts';
import { auditBooks } from '#features/core/ledger/audit-books.ts';
import type { Clock } from '#ports/clock.ts';
import type { DirectDebit } from '#ports/direct-debit.ts';
import { emptiedDatabase } from './database.ts';
import { fakeBankLink } from './fake-bank-link.ts';
import { type FakeDirectDebit, type FakeDirectDebitOptions, fakeDirectDebit } from './fake-direct-debit.ts';
import { aClock, aTenant, silentLog, someTenants, testEncryption } from './makers.ts';

/** Makes the dependencies of debits, payouts and their outcomes, with a bank in memory. */
export const paymentDeps = <AnyClock extends Clock, Provider extends DirectDebit>(
  db: Pool,
  clock: AnyClock,
  directDebit: Provider,
) => ({
  db,
  clock,
  directDebit,
  log: silentLog,
  bankLink: fakeBankLink(),
  encryption: testEncryption,
  tenants: someTenants(aTenant()),
  statementName: 'SPARECHANGE',
  mailFrom: 'Sparechange <hello@sparechange.example>',
});

/** A provider whose idempotency keys expire immediately: a payment submitted again without a look-up is taken twice. */
export const forgetful: FakeDirectDebitOptions = { keyLifeMs: 0 };

interface PaymentsOptions extends FakeDirectDebitOptions {
  isAudited?: boolean;
  buckets?: number;
}

/**
 * Makes a test file's payments: before each test an emptied database, Wednesday at nine and a new provider. After each
 * the books are audited, unless tests of the file make them wrong.
 */
export function ownPayments({ isAudited = true, buckets, ...options }: PaymentsOptions = {}) {
  const database = emptiedDatabase(buckets);
  const clock = aClock();
  const directDebit = {} as FakeDirectDebit;
  beforeEach(() => {
    clock.setTo('2026-11-24T22:00:00Z');
    Object.assign(directDebit, fakeDirectDebit({ now: () => clock.now(), ...options }));
  });
  if (isAudited) afterEach(async () => expect((await auditBooks(database.pool)).violations).toEqual([]));
  return { database, clock, directDebit, deps: () => paymentDeps(database.pool, clock, directDebit) };
}
