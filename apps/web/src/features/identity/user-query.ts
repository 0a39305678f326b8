import { getUser } from '@sparechange/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '#api/call.ts';

export const userKey = (userId: string) => ['user', userId] as const;

export const userQuery = (userId: string) =>
  queryOptions({
    queryKey: userKey(userId),
    queryFn: async () => (await call(getUser, { userId })).userRecord.document,
    refetchOnWindowFocus: 'always', // another tab may have changed a setting a moment ago
  });
