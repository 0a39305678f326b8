import { debitsAllTime, debitsYTD, retrieveTotalDebits } from '@sparechange/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '#api/call.ts';

export const yearToDateQuery = (cdrid: string) =>
  queryOptions({
    queryKey: ['donated this year', cdrid],
    queryFn: async () => (await call(debitsYTD, { cdrid })).debitYTD,
  });

export const allTimeQuery = (cdrid: string) =>
  queryOptions({
    queryKey: ['donated to date', cdrid],
    queryFn: async () => (await call(debitsAllTime, { cdrid })).debitAllTime,
  });

export const monthlyQuery = (cdrid: string) =>
  queryOptions({
    queryKey: ['donated by month', cdrid],
    queryFn: async () => (await call(retrieveTotalDebits, { cdrid })).debitHistory.documents,
  });
