import { findClub, retrieveClubs } from '@sparechange/contract';
import { queryOf } from '#api/query.ts';

const hour = 3_600_000;

/** All clubs, or those under a tenant's parent. */
export const clubsQuery = (parentClubId: string | undefined) => ({
  ...queryOf(retrieveClubs, parentClubId ? { parentClubId } : {}, ({ clubs }) => clubs),
  staleTime: hour,
});

export const clubQuery = (clubId: string) => ({
  ...queryOf(findClub, { clubId }, ({ document }) => document),
  staleTime: hour,
});
