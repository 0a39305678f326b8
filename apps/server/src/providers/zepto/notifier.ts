import { retryPlans } from '@sparechange/domain/retry-plan';
import type { PaymentNotifier } from '#ports/notifier.ts';

export const zeptoNotifier: PaymentNotifier = {
  reports: 'payments',
  queue: 'handle-payment-news',
  retriedForMs: retryPlans.paymentNotifications.givenUpAfterMs,
};
