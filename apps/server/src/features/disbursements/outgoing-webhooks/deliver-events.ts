import { createHmac, randomUUID } from 'node:crypto';
import { printableLine } from '@sparechange/domain';
import { afterFailedTry, retryPlans } from '@sparechange/domain/retry-plan';
import type { Logger } from 'pino';
import { NotFound } from '#errors.ts';
import { recordDelivery, type TakenDelivery, takeDelivery } from './delivery-repository.ts';
import { findReceiver, listDueReceivers, type Receiver, recordCall } from './endpoint-repository.ts';
import { type EndpointDeps, readSecret } from './endpoints.ts';

export interface DeliveryDeps extends EndpointDeps {
  log: Logger;
}

export interface DeliveryRound {
  delivered: number;
  failed: number;
  /** True if more is due than one round delivers. */
  isUnfinished: boolean;
}

const maxKeptAnswer = 500;
interface RoundLimits {
  /** Endpoints called concurrently, each with one delivery. */
  maxAtOnce: number;
  /**
   * Duration of a round, plus one call: an endpoint with many deliveries does not hold up the next round for others.
   */
  roundMs: number;
}
const usualLimits: RoundLimits = { maxAtOnce: 32, roundMs: 15_000 };

const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

function afterFailure(since: Date, now: Date): 'parked' | Date {
  const { parkedAt, nextTryAt } = afterFailedTry(retryPlans.delivery, { tries: 0, failingSince: since }, now);
  return parkedAt ? 'parked' : nextTryAt;
}

interface Posted {
  status: number | null;
  durationMs: number;
  answer: string;
}

/** Posts an event to an endpoint. */
async function post(
  { encryption, webhookReceivers }: Pick<EndpointDeps, 'encryption' | 'webhookReceivers'>,
  receiver: Receiver,
  id: string,
  event: { type: string; at: Date; data: unknown },
): Promise<Posted> {
  const body = JSON.stringify({ type: event.type, timestamp: event.at.toISOString(), data: event.data });
  const secrets = [receiver.secret, receiver.formerSecret]
    .filter((secret) => secret !== null)
    .map((secret) => readSecret(encryption, receiver.id, secret));
  // Receivers compare the time with their own clock; the product's may be moved.
  const headers = signedHeaders(secrets, id, new Date(), body);
  const startedAt = performance.now();
  const { status, text } = await webhookReceivers.post(new URL(receiver.url), headers, body);
  const durationMs = Math.round(performance.now() - startedAt);
  return { status, durationMs, answer: printableLine(text).slice(0, maxKeptAnswer) };
}

/** Posts an event of the type `test` to an endpoint, paused or not, and stores nothing of it. */
export async function testEndpoint(deps: EndpointDeps, id: string): Promise<Posted> {
  const at = deps.clock.now();
  const receiver = await findReceiver(deps.db, id, at);
  if (!receiver) throw new NotFound(`The endpoint ${id}`);
  return post(deps, receiver, randomUUID(), { type: 'test', at, data: {} });
}

async function attempt(deps: DeliveryDeps, receiver: Receiver, delivery: TakenDelivery): Promise<boolean> {
  const { db, clock, log } = deps;
  const posted = await post(deps, receiver, delivery.eventId, delivery).catch((err: unknown): Posted => {
    log.error({ err, endpoint: receiver.id }, 'a webhook could not be signed');
    return { status: null, durationMs: 0, answer: 'not called: the secret of the endpoint cannot be read' };
  });
  const isDelivered = isSuccess(posted.status);
  const at = clock.now();
  const next = isDelivered ? 'delivered' : afterFailure(delivery.since, at);
  await recordDelivery(db, delivery, { ...posted, at, next });
  return isDelivered;
}

/**
 * Delivers due events to each endpoint independently: one that is slow, fails or hangs is left after its attempt and
 * does not hold up the others. Endpoints that a round did not reach are called first in the next. An event may arrive
 * twice, and in any order; its id is always the same.
 */
export async function deliverEvents(
  deps: DeliveryDeps,
  signal?: AbortSignal,
  { maxAtOnce, roundMs } = usualLimits,
): Promise<DeliveryRound> {
  const { db, clock, log } = deps;
  const until = performance.now() + roundMs;
  const round: DeliveryRound = { delivered: 0, failed: 0, isUnfinished: false };
  const deliverTo = async (receiver: Receiver) => {
    for (let calls = 0; ; calls += 1) {
      if (signal?.aborted) return;
      if (performance.now() >= until) {
        round.isUnfinished = true;
        return;
      }
      const delivery = await takeDelivery(db, receiver.id, clock.now());
      if (!delivery) return;
      if (calls === 0) await recordCall(db, receiver.id);
      if (await attempt(deps, receiver, delivery)) round.delivered += 1;
      else {
        round.failed += 1;
        return;
      }
    }
  };
  const receivers = await listDueReceivers(db, clock.now());
  const inTurn = async () => {
    for (let receiver = receivers.shift(); receiver; receiver = receivers.shift()) {
      const { id } = receiver;
      await deliverTo(receiver).catch((err: unknown) => {
        round.failed += 1;
        log.error({ err, endpoint: id }, 'an endpoint could not be delivered to');
      });
    }
  };
  await Promise.all(Array.from({ length: maxAtOnce }, inTurn));
  return round;
}

/** Returns the headers of Standard Webhooks 1.0, with a signature for each secret. */
function signedHeaders(secrets: string[], id: string, at: Date, body: string): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'content-type': 'application/json',
    'user-agent': 'Sparechange-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
