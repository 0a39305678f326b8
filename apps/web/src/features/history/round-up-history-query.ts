import { type RoundUpHistoryItem, retrieveHistory } from '@sparechange/contract';
import { type Cents, noCents, total } from '@sparechange/domain';
import { queryOptions } from '@tanstack/react-query';
import { call } from '#api/call.ts';

export const historyQuery = (cdrid: string) =>
  queryOptions({ queryKey: ['history', cdrid], queryFn: () => call(retrieveHistory, { cdrid }) });

/** The round-ups that are recorded and not debited yet. */
export const pendingCents = (items: RoundUpHistoryItem[]): Cents =>
  total(items.map(({ state, debitAmountCents }) => (state === 'waiting' ? debitAmountCents : noCents)));
