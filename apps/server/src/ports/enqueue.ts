import type { Provider } from './notifier.ts';

/** Jobs that requests queue, done by a worker within seconds. */
export interface Enqueue {
  handleNotifications(provider: Provider): Promise<void>;
  sendMails(): Promise<void>;
}
