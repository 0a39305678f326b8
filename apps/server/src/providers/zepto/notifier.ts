import type { PaymentNotifier } from '#ports/notifier.ts';

export const zeptoNotifier: PaymentNotifier = {
  reports: 'payments',
  queue: 'handle-payment-news',
  retriedForMs: 3_600_000,
};
