/** Providers that notify of payments. */
export const paymentNotifiers = ['zepto'] as const;

/** Providers that send notifications. */
export type Provider = 'basiq' | (typeof paymentNotifiers)[number];

/** Jobs that requests queue, done by a worker within seconds. */
export interface Enqueue {
  handleNotifications(provider: Provider): Promise<void>;
  sendMails(): Promise<void>;
}
