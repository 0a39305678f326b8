import { accounts } from '@sparechange/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '#api/call.ts';

export const accountsKey = (cdrid: string) => ['accounts', cdrid] as const;

export const accountsQuery = (cdrid: string) =>
  queryOptions({
    queryKey: accountsKey(cdrid),
    queryFn: async () => (await call(accounts, { userId: cdrid })).accountsData.documents,
  });
