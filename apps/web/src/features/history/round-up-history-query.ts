import { type RoundUpHistoryItem, retrieveHistory } from '@sparechange/contract';
import { type Cents, noCents, total } from '@sparechange/domain';
import { queryOf } from '#api/query.ts';

export const historyQuery = (cdrid: string) => queryOf(retrieveHistory, { cdrid }, (history) => history);

/** The round-ups that are recorded and not debited yet. */
export const pendingCents = (items: RoundUpHistoryItem[]): Cents =>
  total(items.map(({ state, debitAmountCents }) => (state === 'waiting' ? debitAmountCents : noCents)));
