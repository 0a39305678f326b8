import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';

/** A refusal will not change by asking again; an answer that did not come may. */
const isWorthRetrying = (failures: number, error: Error): boolean =>
  failures < 1 && (!(error instanceof ApiError) || error.status === 0 || error.status >= 500);

/** One for the page; logging out empties it. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: isWorthRetrying, retryDelay: 1000, staleTime: 30_000 },
    mutations: { retry: false },
  },
});
