import { randomUUID } from 'node:crypto';
import type { Clock } from '#world/clock.ts';
import type { Db } from '#world/database.ts';
import { attempt } from './delivery.ts';
import { type Message, messages, type Provider, type Subscription, subscriptions } from './messages.ts';

export interface WebhookFault {
  drop?: boolean | undefined;
  duplicate?: boolean | undefined;
  reorder?: boolean | undefined;
  badSignature?: boolean | undefined;
}

/** Notifications, stored with the change they report and sent afterwards. */
export interface Outbox {
  hasSubscriber(provider: Provider, type: string): boolean;
  publish(provider: Provider, type: string, eventId: string, body: object, at: number): void;
  /** Sends everything due; resolves when all has been tried. */
  deliverDue(): Promise<void>;
  /** Reads the subscriptions again after a change. */
  reloadSubscriptions(): void;
  start(): void;
  stop(): Promise<void>;
}

const pollEveryMs = 250;
const batchSize = 100;
/** Holds a reordered message back until later ones overtake it. */
const reorderDelayMs = 1_500;

export function makeOutbox(db: Db, clock: Clock, takeFault: (provider: Provider) => WebhookFault | undefined): Outbox {
  const known = new Map<Provider, Subscription[]>();
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const subscribersOf = (provider: Provider, type: string): Subscription[] => {
    const all = known.get(provider) ?? subscriptions.list(db, { provider }, 'order by created_at, id');
    known.set(provider, all);
    return all.filter(({ eventTypes }) => eventTypes.length === 0 || eventTypes.includes(type));
  };

  /** Makes an attempt at a message, unless a fault befalls it, and returns the message as it is afterwards. */
  async function tryToDeliver(message: Message): Promise<Message> {
    const subscription = subscriptions.find(db, { id: message.subscriptionId });
    if (subscription === undefined) return { ...message, state: 'given up' };
    const fault = takeFault(message.provider);
    if (fault?.drop) return { ...message, state: 'dropped' };
    if (fault?.reorder) return { ...message, nextAttemptAt: clock.now() + reorderDelayMs };
    if (fault?.duplicate) await attempt(subscription, message, clock.now(), false);
    return attempt(subscription, message, clock.now(), fault?.badSignature === true);
  }

  async function deliverInOrder(due: Message[]): Promise<void> {
    for (const message of due) {
      if (isStopped) return;
      const { number, state, attempts, nextAttemptAt } = await tryToDeliver(message);
      messages.update(db, { number }, { state, attempts, nextAttemptAt });
    }
  }

  async function deliverAll(): Promise<void> {
    for (;;) {
      const order = 'order by next_attempt_at, number limit ?';
      const due = messages.select(
        db,
        `where state = 'waiting' and next_attempt_at <= ? ${order}`,
        clock.now(),
        batchSize,
      );
      if (due.length === 0 || isStopped) return;
      const queues = Map.groupBy(due, ({ subscriptionId }) => subscriptionId);
      await Promise.all([...queues.values()].map(deliverInOrder));
    }
  }

  const deliverDue = (): Promise<void> => {
    running ??= deliverAll().finally(() => {
      running = undefined;
    });
    return running;
  };

  return {
    deliverDue,
    hasSubscriber: (provider, type) => subscribersOf(provider, type).length > 0,
    publish(provider, eventType, eventId, body, at) {
      for (const { id: subscriptionId } of subscribersOf(provider, eventType)) {
        messages.insert(db, {
          id: randomUUID(),
          provider,
          subscriptionId,
          eventType,
          eventId,
          body: JSON.stringify(body),
          state: 'waiting',
          attempts: [],
          createdAt: at,
          nextAttemptAt: at,
        });
      }
    },
    reloadSubscriptions: () => known.clear(),
    start() {
      timer = setInterval(() => void deliverDue(), pollEveryMs);
      timer.unref();
    },
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
