import type { Pool } from '#db/connect.ts';
import { reconcilePayments } from '#features/accounting/reconciliation/reconcile-payments.ts';
import { applyOutcome } from '#features/collections/outcomes/apply-outcome.ts';
import { remitToClubs } from '#features/disbursements/remittances/remit-to-clubs.ts';
import { fakeDirectDebit } from './fake-direct-debit.ts';
import { aClock, aClub, aSupporter, cleared } from './makers.ts';
import { aClearedDebit, setBankDetails } from './money-day.ts';
import { paymentDeps } from './payment-deps.ts';

/** Pays a club debits of Tue 24 Nov 2026 the next day, and reads the provider's settlements on Fri 27 Nov. */
export async function aReconciledPayout(pool: Pool, debits: readonly number[]) {
  const clock = aClock('2026-11-24T00:00:00Z');
  const directDebit = fakeDirectDebit({ now: () => clock.now() });
  const club = await aClub(pool);
  await setBankDetails(pool, club, '12345678');
  const deps = paymentDeps(pool, clock, directDebit);
  for (const cents of debits) await aClearedDebit(deps, await aSupporter(pool, { clubId: club, directDebit }), cents);
  directDebit.clearAll();
  clock.setTo('2026-11-25T00:00:00Z');
  await remitToClubs(deps);
  for (const { kind, providerRef } of directDebit.taken)
    if (kind === 'payout') await applyOutcome(deps, cleared(providerRef));
  directDebit.clearAll();
  clock.setTo('2026-11-27T00:00:00Z');
  await reconcilePayments(deps);
  return { deps, clock, directDebit };
}
