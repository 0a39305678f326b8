import type { ConsoleOperation } from '@sparechange/contract/console';
import { notifyManager, QueryClient } from '@tanstack/react-query';
import { isPassing } from './call-problem.ts';

/** Repeating may bring a missing answer; it changes no refusal. */
const isWorthRetrying = (failures: number, error: Error): boolean => failures < 1 && isPassing(error);

// Shows a change within the press that made it. A task later, React has already put the control back as it was.
notifyManager.setScheduler(queueMicrotask);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: isWorthRetrying,
      retryDelay: 1000,
      staleTime: 10_000,
      // A browser may call itself offline beside a server that answers; so it asks, and asks again once it is online.
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

/** Refetches the answers shown of some operations; all of them where none are given. */
export const readAgain = (operations?: readonly Pick<ConsoleOperation, 'name'>[]): Promise<void> =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey: [name] }) => operations?.some((each) => each.name === name) ?? true,
  });
