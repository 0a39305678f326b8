import { add, type Cents, formatCents, subtract, total } from '@sparechange/domain';
import { splitRepayment } from '@sparechange/domain/repayment';
import { type Actor, actorName, appendToAuditLog } from '#audit/audit-log.ts';
import type { Db, Pool } from '#db/connect.ts';
import { Conflict, NotFound } from '#errors.ts';
import { refuseAbove } from '#features/core/approvals/people-needed.ts';
import { bookingDay } from '#features/core/ledger/booking-day.ts';
import { lockAgainstPlanning } from '#features/core/ledger/planning-lock.ts';
import { withdrawPurchaseRefunds } from '#features/supporters/purchase-refunds/withdraw-purchase-refunds.ts';
import type { Clock } from '#ports/clock.ts';
import { bookPlanned } from './repayment-kind.ts';
import {
  hasPayee,
  listOpenRepayments,
  lockDebit,
  type OpenRepayment,
  type RepaidDebit,
  recordRepayment,
} from './repayment-repository.ts';

export interface RepaymentRequest {
  supporterId: string;
  debitId: string;
  /** The whole remaining amount if absent. */
  amount?: Cents | undefined;
  reason: string;
  /** The operator's own: distinguishes a further repayment of the same amount from a repeated request. */
  requestId?: string | undefined;
}

export interface PlannedRepayment {
  id: string;
  /** True if planned by this call, false if requested before. */
  isNew: boolean;
  /** True if another request repaid all of it before. */
  isOfAnother: boolean;
  /** Cents of the debit that can still be repaid. */
  leftCents: Cents;
}

/**
 * Plans to repay a cleared debit to its payer, whole or in part, and books it out of the club's part and the set-aside.
 * A repeated request plans nothing more. Throws for a debit that was not collected, or was already repaid or claimed,
 * and NeedsSecondPerson if the debit's repayments would exceed `limit`.
 */
export function planRepayment(
  { db, clock, by }: { db: Pool; clock: Clock; by?: Actor },
  request: RepaymentRequest,
  limit?: Cents,
): Promise<PlannedRepayment> {
  return db.of(request.supporterId).begin(async (tx) => {
    await lockAgainstPlanning(tx); // before any row: refunds of its purchases may be withdrawn
    const debit = await lockDebit(tx, request.supporterId, request.debitId);
    if (!debit) throw new NotFound('The debit');
    const repaid = await listOpenRepayments(tx, debit);
    const requestId = request.requestId ?? (request.amount === undefined ? 'all' : String(request.amount));
    const own = repaid.find((each) => each.requestId === requestId);
    const before = own ?? alreadyWhole(debit, repaid, request);
    const left = leftOf(debit, repaid);
    if (before) {
      if (request.amount !== undefined && before.amount !== request.amount)
        throw new Conflict(
          `${requestId} paid back ${formatCents(before.amount)} of ${debit.reference}, another amount.`,
        );
      return { id: before.id, isNew: false, isOfAnother: !own, leftCents: add(left.club, left.savings) };
    }
    const parts = await requireRepayable(tx, debit, left, request.amount);
    refuseAbove(limit, total([parts.amount, ...repaid.map((each) => each.amount)])); // in parts it is no smaller
    return plan(tx, { clock, by }, debit, { ...parts, requestId, reason: request.reason, left });
  });
}

/** Returns the last repayment if a whole-debit request was fulfilled. */
function alreadyWhole(debit: RepaidDebit, repaid: OpenRepayment[], { amount }: RepaymentRequest) {
  const sum = total(repaid.map((each) => each.amount));
  return amount === undefined && sum >= debit.amount ? repaid.at(-1) : undefined;
}

const leftOf = ({ amount, savings }: RepaidDebit, repaid: OpenRepayment[]) => {
  const savingsLeft = subtract(savings, total(repaid.map((each) => each.savings)));
  const whole = subtract(amount, total(repaid.map((each) => each.amount)));
  return { club: subtract(whole, savingsLeft), savings: savingsLeft };
};

async function requireRepayable(tx: Db, debit: RepaidDebit, left: ReturnType<typeof leftOf>, wanted?: Cents) {
  const { reference, state } = debit;
  const kind = debit.kind === 'donation' ? 'donation' : 'debit';
  if (state === 'reversed') throw new Conflict(`The ${kind} ${reference} was taken back by the payer's bank already.`);
  if (state !== 'cleared')
    throw new Conflict(`The ${kind} ${reference} is ${state}; only one that has cleared can be given back.`);
  const leftCents = add(left.club, left.savings);
  const amount = wanted ?? leftCents;
  if (amount > leftCents)
    throw new Conflict(
      `Of ${formatCents(debit.amount)} of ${reference}, ${formatCents(leftCents)} can still be given back.`,
    );
  if (!(await hasPayee(tx, debit)))
    throw new Conflict(
      `The account that ${reference} was taken from is no longer known. Refund it with your own bank transfer and book that under Reconciliation in the console, or with: npm run -s ops -- ledger correct`,
    );
  return { amount, ...splitRepayment(left, amount) };
}

async function plan(
  tx: Db,
  { clock, by }: { clock: Clock; by: Actor | undefined },
  debit: RepaidDebit,
  facts: { amount: Cents; savings: Cents; requestId: string; reason: string; left: { club: Cents; savings: Cents } },
): Promise<PlannedRepayment> {
  const { supporterId, clubId } = debit;
  const { amount, savings, requestId, reason, left } = facts;
  const at = clock.now();
  const leftCents = subtract(add(left.club, left.savings), amount);
  const id = await recordRepayment(tx, debit, { requestId, amount, savings, reason, at });
  if (leftCents === 0) await withdrawPurchaseRefunds(tx, [supporterId]);
  const booked = { supporterId, id, clubId, amount, savings, isClaimed: false };
  await bookPlanned(tx, booked, await bookingDay(tx, clock));
  await appendToAuditLog(tx, {
    supporterId,
    at,
    actor: 'operator',
    action: 'debit refunded',
    details: {
      ...{ repayment: id, debit: debit.id, reference: debit.reference, cents: amount, savings, reason },
      ...(by ? { by: actorName(by) } : {}),
    },
  });
  return { id, isNew: true, isOfAnother: false, leftCents };
}
