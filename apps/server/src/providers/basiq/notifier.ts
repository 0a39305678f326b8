import { retryPlans } from '@sparechange/domain/retry-plan';
import type { BankNotifier } from '#ports/notifier.ts';

export const basiqNotifier: BankNotifier = {
  reports: 'bank data',
  queue: 'handle-bank-news',
  retriedForMs: retryPlans.bankNotifications.givenUpAfterMs,
  announcesTransactions: (kind) => kind === 'transactions.updated',
};
