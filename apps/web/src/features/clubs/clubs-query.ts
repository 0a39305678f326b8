import { findClub, retrieveClubs } from '@sparechange/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '#api/call.ts';

const hour = 3_600_000;

/** All clubs, or those under a tenant's parent. */
export const clubsQuery = (parentClubId: string | undefined) =>
  queryOptions({
    queryKey: ['clubs', parentClubId ?? 'all'],
    queryFn: async () => (await call(retrieveClubs, parentClubId ? { parentClubId } : {})).clubs,
    staleTime: hour,
  });

export const clubQuery = (clubId: string) =>
  queryOptions({
    queryKey: ['club', clubId],
    queryFn: async () => (await call(findClub, { clubId })).document,
    staleTime: hour,
  });
