import { debitsAllTime, debitsYTD, retrieveTotalDebits } from '@sparechange/contract';
import { type Cents, noCents } from '@sparechange/domain';
import { queryOptions } from '@tanstack/react-query';
import { call } from '#api/call.ts';

export interface Donated {
  cents: Cents;
  /** The part not yet confirmed by the bank. */
  inFlightCents: Cents;
}

export const yearToDateQuery = (cdrid: string) =>
  queryOptions({
    queryKey: ['donated this year', cdrid],
    queryFn: async (): Promise<Donated> => {
      const { debitYTD, inFlightCents = noCents } = await call(debitsYTD, { cdrid });
      return { cents: debitYTD, inFlightCents };
    },
  });

export const allTimeQuery = (cdrid: string) =>
  queryOptions({
    queryKey: ['donated to date', cdrid],
    queryFn: async (): Promise<Donated> => {
      const { debitAllTime, inFlightCents = noCents } = await call(debitsAllTime, { cdrid });
      return { cents: debitAllTime, inFlightCents };
    },
  });

export const monthlyQuery = (cdrid: string) =>
  queryOptions({
    queryKey: ['donated by month', cdrid],
    queryFn: async () => (await call(retrieveTotalDebits, { cdrid })).debitHistory.documents,
  });
