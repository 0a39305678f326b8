import { debitsAllTime, debitsYTD, retrieveTotalDebits } from '@sparechange/contract';
import { type Cents, formatCents, noCents } from '@sparechange/domain';
import { queryOptions } from '@tanstack/react-query';
import { call } from '#api/call.ts';

export interface Donated {
  cents: Cents;
  /** The part not yet confirmed by the bank. */
  inFlightCents: Cents;
  /** Donated to date, where some of it was in earlier years. */
  allTimeCents?: Cents | undefined;
}

export const yearToDateQuery = (cdrid: string) =>
  queryOptions({
    queryKey: ['donated this year', cdrid],
    queryFn: async (): Promise<Donated> => {
      const { debitYTD, inFlightCents = noCents, allTimeCents } = await call(debitsYTD, { cdrid });
      return { cents: debitYTD, inFlightCents, allTimeCents };
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

/** Says how much is unconfirmed; `none` where nothing was debited. */
export function inFlightWords(donated: Donated, none: string): string {
  if (donated.inFlightCents > 0) return `${formatCents(donated.inFlightCents)} of it being debited`;
  return donated.cents === 0 ? none : 'All of it has cleared';
}
