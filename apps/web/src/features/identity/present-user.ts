import { queryClient } from '#api/query-client.ts';
import { forget, readStored, store } from '#api/stored.ts';

const ofUser = ['userId', 'cdrid', 'clubId', 'jobId', 'lastFigures'] as const;

/** The user whose answers this page's query cache holds. */
let cachedFor: string | undefined;

export const isPresent = (userId: string): boolean => cachedFor === userId && readStored('userId') === userId;

/** Forgets every id and answer of a supporter. The chosen club and a referrer belong to the browser and stay. */
export function forgetUser(): void {
  for (const key of ofUser) forget(key);
  sessionStorage.clear();
  queryClient.clear();
  cachedFor = undefined;
}

/** Stores the present user. Another user's data are removed before this user is shown anything. */
export function becomeUser(userId: string): void {
  const others = [readStored('userId'), cachedFor].filter((known) => known !== undefined && known !== userId);
  if (others.length > 0) forgetUser();
  cachedFor = userId;
  store('userId', userId);
}
