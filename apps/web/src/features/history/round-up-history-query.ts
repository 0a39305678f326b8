import { retrieveHistory } from '@sparechange/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '#api/call.ts';

export const historyQuery = (cdrid: string) =>
  queryOptions({ queryKey: ['history', cdrid], queryFn: () => call(retrieveHistory, { cdrid }) });
