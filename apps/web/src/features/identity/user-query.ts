import { getUser } from '@sparechange/contract';
import { queryOf } from '#api/query.ts';

export const userQuery = (userId: string) => ({
  ...queryOf(getUser, { userId }, ({ userRecord }) => userRecord.document),
  refetchOnWindowFocus: 'always' as const, // another tab may have changed a setting a moment ago
});
