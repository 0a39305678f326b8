import type { ConsoleOperation } from '@sparechange/contract/console';
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

/** Reads again what pages show of some operations; everything where none are given. */
export const readAgain = (operations?: readonly Pick<ConsoleOperation, 'name'>[]): Promise<void> =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey: [name] }) => operations?.some((each) => each.name === name) ?? true,
  });
