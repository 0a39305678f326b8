import { createHmac } from 'node:crypto';
import type { BankNotification } from '#ports/bank-link.ts';
import { readJson } from '#providers/outgoing/provider-answers.ts';
import { headerOf, includesSignature, isNotificationId, isRecent } from '#providers/outgoing/webhook-proof.ts';
import { NotificationBody } from './answers.ts';

/** Returns the key of a secret: base64 after `whsec_`. */
export const keyOf = (secret: string): Buffer => Buffer.from(secret.replace(/^whsec_/, ''), 'base64');

/**
 * Reads a webhook signed the Standard Webhooks way: base64 HMAC-SHA256 of `id.timestamp.body`, the key in base64
 * after `whsec_`, any of the listed signatures counting. Undefined when it is not genuine, not recent or not readable.
 */
export function readNotification(
  secret: string,
  rawBody: string,
  headers: Record<string, string | undefined>,
  now: Date,
): BankNotification | undefined {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  if (!isNotificationId(id) || !timestamp || !isRecent(timestamp, now)) return undefined;
  const expected = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${rawBody}`).digest('base64');
  const given = (headerOf(headers, 'webhook-signature') ?? '').split(' ').filter(Boolean);
  if (!includesSignature(given, `v1,${expected}`)) return undefined;
  const body = NotificationBody.safeParse(readJson(rawBody));
  return body.success ? { id, eventId: body.data.eventId, kind: body.data.eventTypeId } : undefined;
}
