import type { PaymentTrace as Presented } from '@sparechange/contract/console';
import { sydneyDay } from '@sparechange/domain';
import { stateOf } from './payment-repository.ts';
import type { PaymentTrace } from './trace-payment.ts';

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

/** Presents a trace; `names` are those of the console's people by id. */
export function presentTrace(
  { payment, related, mails, notes, waiting, ...trace }: PaymentTrace,
  names: Map<string, string>,
): Presented {
  const { kind, id, reference, amount, providerRef, returnCode, failure, lastAnswer, attempts } = payment;
  return {
    ...trace,
    kind,
    id,
    reference,
    amountCents: amount,
    state: stateOf(payment),
    providerReference: providerRef,
    returnCode,
    failure,
    lastAnswer,
    attempts,
    plannedAt: payment.plannedAt.toISOString(),
    submittingAt: iso(payment.submittingAt),
    submittedAt: iso(payment.submittedAt),
    unknownSince: iso(payment.unknownSince),
    nextAttemptAt: iso(payment.nextAttemptAt),
    parkedAt: iso(payment.parkedAt),
    outcomeAt: iso(payment.outcomeAt),
    related: related.map(({ plannedAt, ...other }) => ({ ...other, plannedOn: sydneyDay(plannedAt) })),
    mails: mails.map(({ queuedAt, sentAt, givenUpAt, ...mail }) => ({
      ...mail,
      queuedAt: queuedAt.toISOString(),
      sentAt: iso(sentAt),
      isGivenUp: givenUpAt !== null,
    })),
    notes: notes.map(({ at, ...note }) => ({ ...note, at: at.toISOString() })),
    waiting: waiting.map(({ id: approval, summary, askedBy, expiresAt }) => ({
      id: approval,
      summary,
      askedBy: names.get(askedBy.id) ?? askedBy.id,
      expiresOn: sydneyDay(expiresAt),
    })),
  };
}
