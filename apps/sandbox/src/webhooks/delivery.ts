import { randomUUID } from 'node:crypto';
import { isoInstant } from '#world/days.ts';
import type { Attempt, Message } from './messages.ts';
import { basiqSignature, splitSignature } from './signature.ts';
import type { Provider, Subscription } from './subscriptions.ts';

export interface WebhookFault {
  drop?: boolean | undefined;
  duplicate?: boolean | undefined;
  reorder?: boolean | undefined;
  badSignature?: boolean | undefined;
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Each provider's pauses before retries, by the sandbox's clock. */
const retryAfter: Record<Provider, number[]> = {
  basiq: [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour],
  zepto: Array.from({ length: 12 }, () => 5 * minute),
};

const answerWithinMs = 10_000;

function headersOf(subscription: Subscription, { id, body }: Message, now: number): Record<string, string> {
  const seconds = Math.floor(now / 1000);
  const { secret } = subscription;
  if (subscription.provider === 'zepto') {
    return { 'split-request-id': id, 'split-signature': splitSignature(secret, seconds, body) };
  }
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': basiqSignature(secret, id, seconds, body),
  };
}

/** Basiq needs a 2xx for delivery, Zepto any answer. */
const isDelivered = (provider: Provider, status: number | null): boolean =>
  status !== null && (provider === 'zepto' || (status >= 200 && status < 300));

/** Sends a message once and returns it with the outcome. */
export async function attempt(
  subscription: Subscription,
  message: Message,
  now: number,
  isForged: boolean,
): Promise<Message> {
  const { provider, url } = subscription;
  const signer = isForged ? { ...subscription, secret: 'whsec_Zm9yZ2Vk' } : subscription;
  const headers = { 'content-type': 'application/json', ...headersOf(signer, message, now) };
  const { status, text } = await post(url, headers, message.body);
  const made: Attempt = {
    id: randomUUID(),
    url,
    status: isDelivered(provider, status) ? 'Success' : 'Failed',
    response: text,
    responseStatusCode: status,
    timestamp: isoInstant(now),
  };
  const attempts = [...message.attempts, made];
  if (made.status === 'Success') return { ...message, attempts, state: 'delivered' };
  const wait = retryAfter[provider][attempts.length - 1];
  if (wait === undefined) return { ...message, attempts, state: 'given up' };
  return { ...message, attempts, nextAttemptAt: now + wait };
}

async function post(
  url: string,
  headers: Record<string, string>,
  body: string,
): Promise<{ status: number | null; text: string }> {
  try {
    const answer = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(answerWithinMs) });
    return { status: answer.status, text: (await answer.text()).slice(0, 200) };
  } catch (cause) {
    return { status: null, text: cause instanceof Error ? cause.message : 'no answer' };
  }
}
