import { type Operator, retrieveSession } from '@sparechange/contract/console';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '#api/call.ts';
import { queryClient } from '#api/query-client.ts';

/** The person who is signed in; null for nobody. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<Operator | null> => {
    const { operator, singleSignOn } = await call(retrieveSession, {});
    queryClient.setQueryData(singleSignOnQuery.queryKey, singleSignOn);
    return operator;
  },
  staleTime: 60_000,
});

/** The name of the organisation's own sign-in; null for none. It comes with the session where that was asked for. */
export const singleSignOnQuery = queryOptions<string | null>({
  queryKey: ['session', 'single sign-on'],
  queryFn: async () => (await call(retrieveSession, {})).singleSignOn,
  staleTime: Number.POSITIVE_INFINITY,
});

/** Forgets everything but the session, which the page still shows. */
const forgetOthers = () =>
  queryClient.removeQueries({ predicate: ({ queryKey: [name] }) => name !== sessionQuery.queryKey[0] });

/** Cancels requests under way, whose answers concern the previous session. */
const cancelAsking = () => void queryClient.cancelQueries({ queryKey: sessionQuery.queryKey, exact: true });

/** Shows the console to a person who signed in, and nothing of an earlier person's. */
export function enter(operator: Operator): void {
  cancelAsking();
  const before = queryClient.getQueryData(sessionQuery.queryKey);
  if (before?.id !== operator.id) forgetOthers();
  queryClient.setQueryData(sessionQuery.queryKey, operator);
  otherTabs.postMessage(operator.id);
}

/** Shows the sign-in, and forgets everything shown before. */
function forgetPerson(): void {
  cancelAsking();
  queryClient.setQueryData(sessionQuery.queryKey, null);
  forgetOthers();
}

/** Leaves the console in every tab. */
export function leave(): void {
  forgetPerson();
  otherTabs.postMessage(null);
}

/** Tells the other tabs, which share the session, who is signed in now: an id, or null for nobody. */
const otherTabs = new BroadcastChannel('console session');
otherTabs.onmessage = ({ data: id }: MessageEvent<string | null>) => {
  const shown = queryClient.getQueryData(sessionQuery.queryKey);
  if (!shown || shown.id === id) return;
  forgetPerson();
  if (id !== null) void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey, exact: true });
};

/** Returns the signed-in person, below <SignedIn>. */
export function useOperator(): Operator {
  const { data } = useQuery(sessionQuery);
  if (!data) throw new Error('Nobody is signed in.');
  return data;
}
