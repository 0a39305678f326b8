import { type Cents, total } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import { bookingDay } from '#features/core/ledger/booking-day.ts';
import { lockPayout, movePayout } from '#features/core/payouts/payout-repository.ts';
import type { Clock } from '#ports/clock.ts';
import { bookEnd, repaymentKind } from './repayment-kind.ts';
import { listOpenRepayments, markClaimed, type RepaidDebit } from './repayment-repository.ts';

/** Cents of a reversed debit that were repaid before the claim, and the savings part among them. */
export interface AlreadyRepaid {
  amount: Cents;
  savings: Cents;
}

/** Failure of a repayment that was withdrawn, since the payer has the money back by the claim. */
export const claimedFirst = "the payer's bank took the debit back first";

/**
 * Prepares the booking of a claim on a repaid debit. A repayment that has not left yet is withdrawn; one that has left
 * was paid twice, and is the payer's debt instead of the club's loss.
 */
export async function claimOnRepaid(
  db: Db,
  clock: Clock,
  debit: Pick<RepaidDebit, 'supporterId' | 'id'>,
): Promise<AlreadyRepaid> {
  for (const { id, state } of await listOpenRepayments(db, debit)) {
    if (state !== 'planned') continue;
    const repayment = await lockPayout(db, repaymentKind, { supporterId: debit.supporterId, id });
    const facts = { at: clock.now(), failure: claimedFirst };
    if (repayment && (await movePayout(db, repaymentKind, repayment, 'planned', 'refused', facts)))
      await bookEnd(db, repayment, 'refused', await bookingDay(db, clock));
  }
  const repaid = await listOpenRepayments(db, debit);
  if (repaid.length > 0) await markClaimed(db, debit);
  return {
    amount: total(repaid.map((each) => each.amount)),
    savings: total(repaid.map((each) => each.savings)),
  };
}
