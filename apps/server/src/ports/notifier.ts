/** A provider by the name it has in webhook addresses and stored notifications. */
export type Provider = string;

interface AnyNotifier {
  /** The queue of the jobs that handle its notifications. */
  queue: string;
  /** Period in which open notifications are queued again, from the newest one; polls find what they report besides. */
  retriedForMs: number;
}

export interface BankNotifier extends AnyNotifier {
  reports: 'bank data';
  /** Returns whether a notification of this kind, a word of the provider's, announces transactions. */
  announcesTransactions(kind: string): boolean;
}

export interface PaymentNotifier extends AnyNotifier {
  reports: 'payments';
}

/** A provider's way of sending notifications. The port that it reports to reads its webhooks. */
export type Notifier = BankNotifier | PaymentNotifier;

/** Every provider that sends notifications. */
export type Notifiers = Readonly<Record<Provider, Notifier>>;

/** Throws where no provider of that name sends notifications. */
export function notifierOf(notifiers: Notifiers, provider: Provider): Notifier {
  const notifier = Object.hasOwn(notifiers, provider) ? notifiers[provider] : undefined;
  if (!notifier) throw new Error(`No provider is called ${provider}.`);
  return notifier;
}
