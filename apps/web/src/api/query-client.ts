import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';

/** Repeating may bring a missing answer; it changes no refusal. */
const isWorthRetrying = (failures: number, error: Error): boolean =>
  failures < 1 && (!(error instanceof ApiError) || error.status === 0 || error.status >= 500);

/** One for the page; logging out empties it. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: isWorthRetrying,
      retryDelay: 1000,
      staleTime: 30_000,
      gcTime: 60 * 60_000, // what was last seen can be read while there is no network
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    // By itself the library keeps what is sent offline and sends it later, when nobody expects it any more.
    mutations: { retry: false, networkMode: 'always' },
  },
});
