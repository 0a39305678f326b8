import { accounts } from '@sparechange/contract';
import { queryOf } from '#api/query.ts';

export const accountsQuery = (cdrid: string) =>
  queryOf(accounts, { userId: cdrid }, ({ accountsData }) => accountsData.documents);
