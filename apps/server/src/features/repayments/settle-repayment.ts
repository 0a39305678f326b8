import { type Cents, total } from '@sparechange/domain';
import { noteInAuditLog } from '#audit/audit-log.ts';
import type { Db } from '#db/connect.ts';
import { bookingDay } from '#features/ledger/booking-day.ts';
import { type PayoutChange, payoutChange } from '#features/payouts/payout-state.ts';
import type { Clock } from '#ports/clock.ts';
import type { Outcome } from '#ports/direct-debit.ts';
import { bookArrived, bookFailed } from './book-repayment.ts';
import {
  listOpenRepayments,
  lockRepayment,
  lockRepaymentByProviderRef,
  markClaimed,
  moveRepayment,
  type RepaidDebit,
} from './repayment-repository.ts';

/** Applies what the provider says of a repayment; undefined when it is none. What comes back is the club's again. */
export async function settleRepayment(db: Db, clock: Clock, outcome: Outcome): Promise<PayoutChange | undefined> {
  const repayment = await lockRepaymentByProviderRef(db, outcome.providerRef);
  if (!repayment) return undefined;
  const change = payoutChange(repayment.state, outcome.state);
  if (change === 'nothing') return 'nothing';
  const back = outcome.state === 'returned' ? outcome : undefined;
  const facts = { at: clock.now(), returnCode: back?.code, failure: back?.reason };
  if (!(await moveRepayment(db, repayment, repayment.state, change, facts))) return 'nothing';
  const bookedOn = await bookingDay(db, clock);
  if (!back || change === 'cleared') await bookArrived(db, repayment, bookedOn);
  else {
    await bookFailed(db, repayment, change, bookedOn);
    await noteInAuditLog(db, {
      supporterId: repayment.supporterId,
      at: clock.now(),
      actor: 'direct debit',
      action: 'repayment returned',
      details: { repayment: repayment.id, code: back.code, reason: back.reason ?? null },
    });
  }
  return change;
}

/** Repaid part of a reversed debit, and its set-aside. */
export interface ClaimedBesides {
  amount: Cents;
  savings: Cents;
}

/**
 * Prepares the booking of a claim on a debit that was given back. A repayment that has not left yet is withdrawn; what
 * has left was paid twice, and is the payer's debt instead of the club's loss.
 */
export async function claimRepaid(
  db: Db,
  clock: Clock,
  debit: Pick<RepaidDebit, 'supporterId' | 'id'>,
): Promise<ClaimedBesides> {
  for (const { id, state } of await listOpenRepayments(db, debit)) {
    if (state !== 'planned') continue;
    const repayment = await lockRepayment(db, { supporterId: debit.supporterId, id });
    const failure = "the payer's bank took the debit back first";
    if (!repayment || !(await moveRepayment(db, repayment, 'planned', 'refused', { at: clock.now(), failure })))
      continue;
    await bookFailed(db, repayment, 'refused', await bookingDay(db, clock));
  }
  const repaid = await listOpenRepayments(db, debit);
  if (repaid.length > 0) await markClaimed(db, debit);
  return {
    amount: total(repaid.map((each) => each.amount)),
    savings: total(repaid.map((each) => each.savings)),
  };
}
