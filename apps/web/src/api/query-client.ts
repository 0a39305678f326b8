import { notifyManager, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';

/** Repeating may bring a missing answer; it changes no refusal. */
const isWorthRetrying = (failures: number, error: Error): boolean =>
  failures < 1 && (!(error instanceof ApiError) || error.status === 0 || error.status >= 500);

// Shows a change within the press that made it. A task later, React has already put the control back as it was.
notifyManager.setScheduler(queueMicrotask);

/** One for the page; logging out empties it. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: isWorthRetrying,
      retryDelay: 1000,
      staleTime: 30_000,
      gcTime: 60 * 60_000, // the last answers stay readable offline
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    // The default is to queue changes made offline and send them later, when nobody expects them any more.
    mutations: { retry: false, networkMode: 'always' },
  },
});
