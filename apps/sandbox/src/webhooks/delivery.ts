import { createHmac, randomUUID } from 'node:crypto';
import { isoInstant } from '#world/days.ts';
import type { Message, Provider, Subscription } from './messages.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Each provider's pauses before retries, by the sandbox's clock. */
const retryAfterMs: Record<Provider, number[]> = {
  basiq: [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour],
  zepto: Array.from({ length: 12 }, () => 5 * minute),
};

const answerWithinMs = 10_000;

/** Basiq: base64 HMAC-SHA256 of `id.timestamp.body`, keyed by base64 after `whsec_`. */
export function basiqSignature(secret: string, id: string, unixSeconds: number, body: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${unixSeconds}.${body}`).digest('base64')}`;
}

/** Zepto, formerly Split: hexadecimal HMAC-SHA256 of `timestamp.body`, with the timestamp in front. */
export function zeptoSignature(secret: string, unixSeconds: number, body: string): string {
  return `${unixSeconds}.${createHmac('sha256', secret).update(`${unixSeconds}.${body}`).digest('hex')}`;
}

function headersOf(provider: Provider, secret: string, { id, body }: Message, now: number): Record<string, string> {
  const seconds = Math.floor(now / 1000);
  if (provider === 'zepto') {
    return { 'split-request-id': id, 'split-signature': zeptoSignature(secret, seconds, body) };
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
  { provider, url, secret }: Subscription,
  message: Message,
  now: number,
  isForged: boolean,
): Promise<Message> {
  const signature = headersOf(provider, isForged ? 'whsec_Zm9yZ2Vk' : secret, message, now);
  const { status, text } = await post(url, { 'content-type': 'application/json', ...signature }, message.body);
  const isSuccess = isDelivered(provider, status);
  const made = {
    id: randomUUID(),
    url,
    status: isSuccess ? ('Success' as const) : ('Failed' as const),
    response: text,
    responseStatusCode: status,
    timestamp: isoInstant(now),
  };
  const attempts = [...message.attempts, made];
  if (isSuccess) return { ...message, attempts, state: 'delivered' };
  const waitMs = retryAfterMs[provider][attempts.length - 1];
  if (waitMs === undefined) return { ...message, attempts, state: 'given up' };
  return { ...message, attempts, nextAttemptAt: now + waitMs };
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
