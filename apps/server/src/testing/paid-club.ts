import { beforeEach, expect } from 'vitest';
import { applyOutcome } from '#features/collections/outcomes/apply-outcome.ts';
import { auditBooks } from '#features/core/ledger/audit-books.ts';
import { emptiedDatabase } from './database.ts';
import { type FakeDirectDebit, fakeDirectDebit } from './fake-direct-debit.ts';
import { aClock, aClub, aSupporter, cleared } from './makers.ts';
import { aClearedDebit, setBankDetails } from './money-day.ts';
import { paymentDeps } from './payment-deps.ts';

/** A club with an account, new before each test of a file, and what tests of its money do. */
export function paidClub() {
  const database = emptiedDatabase();
  const clock = aClock();
  const on = (day: string) => clock.setTo(`${day}T00:00:00Z`);
  let directDebit: FakeDirectDebit;
  let club: string;
  beforeEach(async () => {
    on('2026-11-24');
    directDebit = fakeDirectDebit({ now: () => clock.now() });
    club = await aClub(database.pool);
    await setBankDetails(database.pool, club, '12345678');
  });
  const deps = () => paymentDeps(database.pool, clock, directDebit);
  return {
    database,
    on,
    deps,
    id: () => club,
    /** A supporter's cleared debit for a club; returns the provider's reference. */
    gives: async (amount: number, clubId = club) =>
      aClearedDebit(deps(), await aSupporter(database.pool, { clubId, directDebit }), amount),
    /** Lets everything that was paid out arrive. */
    arrives: async () => {
      for (const { kind, providerRef } of directDebit.taken)
        if (kind === 'payout') await applyOutcome(deps(), cleared(providerRef));
    },
    healthy: async () => expect((await auditBooks(database.pool)).violations).toEqual([]),
  };
}
