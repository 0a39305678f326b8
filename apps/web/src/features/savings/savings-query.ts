import { retrieveLinkedSavings } from '@sparechange/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '#api/call.ts';

export const savingsKey = (cdrid: string) => ['linked savings', cdrid] as const;

/** The linked savings account; null when there is none. */
export const savingsQuery = (cdrid: string) =>
  queryOptions({
    queryKey: savingsKey(cdrid),
    queryFn: async () => (await call(retrieveLinkedSavings, { userId: cdrid })).savingsAccount.document,
  });
