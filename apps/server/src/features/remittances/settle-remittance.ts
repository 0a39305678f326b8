import { retryRemittanceOn } from '@sparechange/domain/failed-remittance';
import { nobody, noteInAuditLog } from '#audit/audit-log.ts';
import type { Db } from '#db/connect.ts';
import { bookingDay } from '#features/ledger/booking-day.ts';
import { type PayoutChange, payoutChange } from '#features/payouts/payout-state.ts';
import { type Clock, today } from '#ports/clock.ts';
import type { Outcome } from '#ports/direct-debit.ts';
import { postRemittance } from './club-ledger.ts';
import { lockRemittanceByProviderRef, moveRemittance } from './remittance-repository.ts';

/**
 * Applies what the provider says of a remittance; undefined when it is none. What comes back is the club's again, and is
 * paid again by itself unless its code says that the account's details are wrong.
 */
export async function settleRemittance(db: Db, clock: Clock, outcome: Outcome): Promise<PayoutChange | undefined> {
  const remittance = await lockRemittanceByProviderRef(db, outcome.providerRef);
  if (!remittance) return undefined;
  const change = payoutChange(remittance.state, outcome.state);
  if (change === 'nothing') return 'nothing';
  const at = clock.now();
  const back = outcome.state === 'returned' ? outcome : undefined;
  const retryOn = back && retryRemittanceOn(back.code, remittance.failures, today(clock));
  const facts = { at, returnCode: back?.code, failure: back?.reason, retryOn };
  if (!(await moveRemittance(db, remittance, remittance.state, change, facts))) return 'nothing';
  await postRemittance(db, remittance, change, await bookingDay(db, clock));
  if (!back) return change;
  const details = { remittance: remittance.id, club: remittance.clubId, code: back.code };
  await noteInAuditLog(db, {
    supporterId: nobody,
    at,
    actor: 'direct debit',
    action: 'remittance returned',
    details: { ...details, reason: back.reason ?? null },
  });
  return change;
}
