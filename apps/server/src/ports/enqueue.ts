/** Providers that send notifications. */
export type Provider = 'basiq' | 'zepto';

/** Jobs that requests queue, done by a worker within seconds. */
export interface Enqueue {
  submitDonations(): Promise<void>;
  handleNotifications(provider: Provider): Promise<void>;
}
