import { type Cents, formatCents } from '@sparechange/domain';
import type { Actor } from '#audit/audit-log.ts';
import { Conflict } from '#errors.ts';
import type { AskedFor } from '#features/core/approvals/approved-acts.ts';
import type { refund } from '#features/disbursements/repayments/refund-act.ts';
import type { PaymentRecord } from './payment-repository.ts';

type RefundActs = AskedFor<{ refund: typeof refund }>;

export interface RefundRequest {
  /** The whole remaining amount if absent. */
  amount: Cents | undefined;
  reason: string;
  requestId: string | undefined;
}

/** Repays a debit or donation, or asks a second person to agree. Throws Conflict for other payments. */
export function refundPayment(
  { acts }: { acts: RefundActs },
  actor: Actor,
  { supporterId, id: debitId, kind, reference }: PaymentRecord,
  { amount, reason, requestId }: RefundRequest,
): ReturnType<RefundActs['refund']> {
  if (!supporterId || (kind !== 'debit' && kind !== 'donation'))
    throw new Conflict(`${reference} is a ${kind}; only debits and donations are refunded.`);
  const words = amount === undefined ? 'all that is left' : formatCents(amount);
  const summary = `Refund of ${words} of the ${kind} ${reference}`;
  return acts.refund(actor, { supporterId, debitId, amount, reason, requestId }, summary);
}
