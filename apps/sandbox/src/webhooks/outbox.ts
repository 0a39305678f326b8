import type { Clock } from '#world/clock.ts';
import type { Db } from '#world/database.ts';
import { attempt, type WebhookFault } from './delivery.ts';
import { addMessage, listDueMessages, type Message, updateMessage } from './messages.ts';
import { findSubscription, listSubscriptions, type Provider, type Subscription, wants } from './subscriptions.ts';

/** Notifications on their way, stored with their change, sent afterwards. */
export interface Outbox {
  hasSubscriber(provider: Provider, type: string): boolean;
  publish(provider: Provider, type: string, eventId: string, body: string, at: number): void;
  /** Sends everything due; resolves when all has been tried. */
  deliverDue(): Promise<void>;
  forgetSubscriptions(): void;
  start(): void;
  stop(): Promise<void>;
}

const lookEveryMs = 250;
const batchSize = 100;
/** Holds a reordered message back until later ones overtake it. */
const holdBackMs = 1_500;

export function makeOutbox(db: Db, clock: Clock, takeFault: (provider: Provider) => WebhookFault | undefined): Outbox {
  const subscriptions = new Map<Provider, Subscription[]>();
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const subscribersOf = (provider: Provider, type: string): Subscription[] => {
    const known = subscriptions.get(provider) ?? listSubscriptions(db, provider);
    subscriptions.set(provider, known);
    return known.filter((subscription) => wants(subscription, type));
  };

  async function deliver(message: Message): Promise<void> {
    const subscription = findSubscription(db, message.subscriptionId);
    if (subscription === undefined) return void updateMessage(db, { ...message, state: 'given up' });
    const fault = takeFault(message.provider);
    if (fault?.drop) return void updateMessage(db, { ...message, state: 'dropped' });
    if (fault?.reorder) return void updateMessage(db, { ...message, nextAttemptAt: clock.now() + holdBackMs });
    if (fault?.duplicate) await attempt(subscription, message, clock.now(), false);
    updateMessage(db, await attempt(subscription, message, clock.now(), fault?.badSignature === true));
  }

  async function deliverInOrder(messages: Message[]): Promise<void> {
    for (const message of messages) if (!isStopped) await deliver(message);
  }

  async function deliverAll(): Promise<void> {
    for (;;) {
      const due = listDueMessages(db, clock.now(), batchSize);
      if (due.length === 0 || isStopped) return;
      const lines = Map.groupBy(due, ({ subscriptionId }) => subscriptionId);
      await Promise.all([...lines.values()].map(deliverInOrder));
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
    publish(provider, type, eventId, body, at) {
      for (const subscription of subscribersOf(provider, type)) addMessage(db, subscription, type, eventId, body, at);
    },
    forgetSubscriptions: () => subscriptions.clear(),
    start() {
      timer = setInterval(() => void deliverDue(), lookEveryMs);
      timer.unref();
    },
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
