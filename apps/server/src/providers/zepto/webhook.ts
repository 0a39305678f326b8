import { createHash, createHmac } from 'node:crypto';
import type { PaymentNotification } from '#ports/direct-debit.ts';
import { readJson } from '#providers/outgoing/provider-answers.ts';
import { headerOf, includesSignature, isNotificationId, isRecent } from '#providers/outgoing/webhook-proof.ts';
import { AgreementRow, NotificationBody, TransactionRow } from './answers.ts';
import { hasEnded } from './mandates.ts';
import { toOutcome } from './translate.ts';

/**
 * Reads a webhook. `Split-Signature` is `<unix seconds>.<signature>[.<signature>…]`, each the hexadecimal HMAC-SHA256
 * of `<unix seconds>.<body>`. Undefined when it is not genuine or not recent. It tells each leg's current state, which
 * may be later than the event's. Agreements are recognised by their rows, not the name of the event; other events carry
 * nothing for us.
 */
export function readNotification(
  secret: string,
  rawBody: string,
  headers: Record<string, string | undefined>,
  now: Date,
): PaymentNotification | undefined {
  const id = headerOf(headers, 'split-request-id');
  const [timestamp = '', ...given] = (headerOf(headers, 'split-signature') ?? '').split('.');
  if (!isNotificationId(id) || !isRecent(timestamp, now)) return undefined;
  const expected = createHmac('sha256', secret).update(`${timestamp}.${rawBody}`).digest('hex');
  if (!includesSignature(given, expected)) return undefined;
  const rows = NotificationBody.safeParse(readJson(rawBody)).data?.data ?? [];
  const outcomes = rows.flatMap((row) => {
    const transaction = TransactionRow.safeParse(row);
    return (transaction.success && toOutcome(transaction.data)) || [];
  });
  const endedMandates = rows.flatMap((row) => {
    const agreement = AgreementRow.safeParse(row);
    return agreement.success && isAgreement(agreement.data) && hasEnded(agreement.data)
      ? [agreement.data.contact_id]
      : [];
  });
  return { id, signedHash: hashOf(expected), outcomes, endedMandates };
}

/** Request ids are not signed, so replays can change them. */
const hashOf = (signature: string): string => createHash('sha256').update(signature).digest('hex');

/** References say what they are of: A.* is an agreement. */
const isAgreement = ({ ref }: { ref: string }): boolean => ref.startsWith('A.');
