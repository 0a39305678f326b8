import type { BankNotifier } from '#ports/notifier.ts';

export const basiqNotifier: BankNotifier = {
  reports: 'bank data',
  queue: 'handle-bank-news',
  retriedForMs: 86_400_000,
  announcesTransactions: (kind) => kind === 'transactions.updated',
};
