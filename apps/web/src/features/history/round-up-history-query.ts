import { retrieveHistory } from '@sparechange/contract';
import { queryOf } from '#api/query.ts';

export const historyQuery = (cdrid: string) => queryOf(retrieveHistory, { cdrid }, (history) => history);
