import { createHmac, timingSafeEqual } from 'node:crypto';
import { ProgramEvent, TestEvent } from '@sparechange/contract/program-events';
import { z } from 'zod';

const Body = z.discriminatedUnion('type', [...ProgramEvent.options, TestEvent]);

/** An event, or a test from the console, with the id under which it may come again. */
export type ReceivedEvent = z.infer<typeof Body> & { id: string };

export interface WebhookRequest {
  /** The request's headers, in lower case. */
  headers: Record<string, string | string[] | undefined>;
  /** The body as it was sent, unparsed. */
  body: string;
}

/** Seconds by which the sender's clock may differ. */
const tolerance = 300;

const isSigned = (secret: string, content: string, signatures: string[]): boolean => {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(content).digest();
  return signatures.some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64');
    return signature.startsWith('v1,') && given.length === expected.length && timingSafeEqual(given, expected);
  });
};

/** Returns the event of a webhook; undefined where its signature, its time or its form is wrong. */
export function readWebhook(
  { headers, body }: WebhookRequest,
  secret: string,
  now = new Date(),
): ReceivedEvent | undefined {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    String(headers[`webhook-${name}`]),
  );
  const age = Math.abs(now.getTime() / 1_000 - Number(timestamp));
  if (!(age <= tolerance) || !isSigned(secret, `${id}.${timestamp}.${body}`, (signatures ?? '').split(' ')))
    return undefined;
  const { data: event } = Body.safeParse(JSON.parse(body));
  return event && { ...event, id: String(id) };
}
