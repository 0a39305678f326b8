import { debitsAllTime, debitsYTD, retrieveTotalDebits } from '@sparechange/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '#api/call.ts';

export interface Donated {
  cents: number;
  /** The part of it that the bank has not confirmed yet. */
  inFlightCents: number;
}

export const yearToDateQuery = (cdrid: string) =>
  queryOptions({
    queryKey: ['donated this year', cdrid],
    queryFn: async (): Promise<Donated> => {
      const { debitYTD, inFlightCents = 0 } = await call(debitsYTD, { cdrid });
      return { cents: debitYTD, inFlightCents };
    },
  });

export const allTimeQuery = (cdrid: string) =>
  queryOptions({
    queryKey: ['donated to date', cdrid],
    queryFn: async (): Promise<Donated> => {
      const { debitAllTime, inFlightCents = 0 } = await call(debitsAllTime, { cdrid });
      return { cents: debitAllTime, inFlightCents };
    },
  });

export const monthlyQuery = (cdrid: string) =>
  queryOptions({
    queryKey: ['donated by month', cdrid],
    queryFn: async () => (await call(retrieveTotalDebits, { cdrid })).debitHistory.documents,
  });
