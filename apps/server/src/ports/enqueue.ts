/** Providers that send notifications. */
export type Provider = 'basiq' | 'zepto';

/** Jobs that requests queue, done by a worker within seconds. */
export interface Enqueue {
  handleNotifications(provider: Provider): Promise<void>;
}
