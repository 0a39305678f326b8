import { sydneyDay, sydneyTime } from '@sparechange/domain';
import type { DebitOrder, PayoutOrder, Submission } from '#ports/direct-debit.ts';
import { NoFreeTurn, ProviderRefused, ProviderUnavailable } from '#ports/errors.ts';
import { CreatedAnswer } from './answers.ts';
import { describe, isRefusal, resourceOfDuplicate, type ZeptoCall, type ZeptoClient } from './client.ts';
import { refusalCauseOf } from './translate.ts';

export interface SubmitContext {
  client: ZeptoClient;
  bankAccountId: () => Promise<string | undefined>;
  now: () => Date;
}

/** The first moment of the due day in Sydney; of today when that is past, which Zepto would refuse. */
function maturesAt(dueOn: DebitOrder['dueOn'], now: Date): string {
  const today = sydneyDay(now);
  return sydneyTime(dueOn > today ? dueOn : today, '00:00').toISOString();
}

export async function submitDebit(context: SubmitContext, order: DebitOrder, account?: string): Promise<Submission> {
  return submit(context.client, order, {
    purpose: 'request a payment',
    path: '/payment_requests',
    body: {
      description: order.reference,
      matures_at: maturesAt(order.dueOn, context.now()),
      amount: order.amount,
      authoriser_contact_id: order.mandateRef,
      ...(account ? { your_bank_account_id: account } : {}),
      metadata: { remitter: order.remitter, order_id: order.id },
    },
  });
}

export async function submitPayout(
  context: SubmitContext,
  order: PayoutOrder,
  payee: (order: PayoutOrder) => Promise<string>,
): Promise<Submission> {
  const recipient = await settled(order, async () => ({
    contact: await payee(order),
    account: await context.bankAccountId(),
  }));
  if ('result' in recipient) return recipient;
  const remitter = order.remitter ? { remitter: order.remitter } : {};
  return submit(context.client, order, {
    purpose: 'make a payment',
    path: '/payments',
    body: {
      description: order.reference,
      matures_at: maturesAt(order.dueOn, context.now()),
      ...(recipient.account ? { your_bank_account_id: recipient.account } : {}),
      channels: ['new_payments_platform', 'direct_entry'],
      payouts: [
        {
          amount: order.amount,
          description: order.reference,
          recipient_contact_id: recipient.contact,
          metadata: { order_id: order.id },
        },
      ],
      metadata: { ...remitter, order_id: order.id },
    },
  });
}

/**
 * Sends an order under its own id as idempotency key. That key lives 24 hours at Zepto; a 409 names what it made. An
 * answer that neither names what was made nor definitely refuses it is unknown.
 */
async function submit(client: ZeptoClient, { id }: { id: string }, call: ZeptoCall): Promise<Submission> {
  return settled({ id }, async () => {
    const answer = await client.exchange({ ...call, method: 'POST', idempotencyKey: id });
    const made =
      answer.status >= 200 && answer.status < 300 ? CreatedAnswer.safeParse(answer.body).data?.data.ref : undefined;
    const providerRef = made ?? resourceOfDuplicate(answer);
    if (providerRef) return { id, result: 'accepted', providerRef };
    const reason = describe(call.purpose, answer);
    return isRefusal(answer) ? refused(id, reason) : { id, result: 'unknown', reason };
  });
}

const refused = (id: string, reason: string): Submission => ({
  id,
  result: 'refused',
  cause: refusalCauseOf(reason),
  reason,
});

/** Turns a call's errors into the result for the order. */
async function settled<Value>({ id }: { id: string }, act: () => Promise<Value>): Promise<Value | Submission> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof ProviderRefused) return refused(id, error.reason);
    if (error instanceof NoFreeTurn) return { id, result: 'unknown', reason: error.message, isUnsent: true };
    if (error instanceof ProviderUnavailable) return { id, result: 'unknown', reason: error.message };
    throw error;
  }
}
