import { createHmac } from 'node:crypto';

/** Basiq: base64 HMAC-SHA256 of `id.timestamp.body`, keyed by base64 after `whsec_`. */
export function basiqSignature(secret: string, id: string, unixSeconds: number, body: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${unixSeconds}.${body}`).digest('base64')}`;
}

/** Zepto: hexadecimal HMAC-SHA256 of `timestamp.body`, with the timestamp in front. */
export function splitSignature(secret: string, unixSeconds: number, body: string): string {
  return `${unixSeconds}.${createHmac('sha256', secret).update(`${unixSeconds}.${body}`).digest('hex')}`;
}
