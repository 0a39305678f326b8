import { type Cents, formatCents } from '@sparechange/domain';
import type { Actor } from '#audit/audit-log.ts';
import { Conflict } from '#errors.ts';
import type { ApprovedActs } from '#features/core/approvals/approved-acts.ts';
import type { PaymentRecord } from './payment-repository.ts';

export interface RefundRequest {
  /** The whole remaining amount if absent. */
  amount: Cents | undefined;
  reason: string;
  requestId: string | undefined;
}

/** Repays a debit or donation, or asks a second person to agree. Throws Conflict for other payments. */
export function refundPayment(
  { acts }: { acts: Pick<ApprovedActs, 'refund'> },
  actor: Actor,
  { supporterId, id: debitId, kind, reference }: PaymentRecord,
  { amount, reason, requestId }: RefundRequest,
): ReturnType<ApprovedActs['refund']> {
  if (!supporterId || (kind !== 'debit' && kind !== 'donation'))
    throw new Conflict(`${reference} is a ${kind}; only debits and donations are refunded.`);
  const words = amount === undefined ? 'all that is left' : formatCents(amount);
  const summary = `Refund of ${words} of the ${kind} ${reference}`;
  return acts.refund(actor, { supporterId, debitId, amount, reason, requestId }, summary);
}
