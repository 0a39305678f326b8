import { retrieveNextDebit } from '@sparechange/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '#api/call.ts';

export const nextDebitKey = (cdrid: string) => ['next debit', cdrid] as const;

/** Asked at each opening, as purchases arrive through the day. */
export const nextDebitQuery = (cdrid: string) =>
  queryOptions({
    queryKey: nextDebitKey(cdrid),
    queryFn: async () => (await call(retrieveNextDebit, { cdrid })).nextDebit,
    staleTime: 0,
  });
