import { QueryClient } from '@tanstack/react-query';
import { CallProblem } from './call-problem.ts';

/** Repeating may bring a missing answer; it changes no refusal. */
const isWorthRetrying = (failures: number, error: Error): boolean =>
  failures < 1 && (!(error instanceof CallProblem) || error.status === 0 || error.status >= 500);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: isWorthRetrying, retryDelay: 1000, staleTime: 10_000, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' },
  },
});
