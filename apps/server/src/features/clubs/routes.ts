import * as contract from '@sparechange/contract';
import type { Pool } from '#db/connect.ts';
import { notFound } from '#http/errors.ts';
import type { Serve } from '#http/serve.ts';
import { findClub, findClubIdBySlug, listClubs } from './club-repository.ts';

export function clubRoutes(serve: Serve, { db }: { db: Pool }): void {
  serve.open(contract.retrieveClubs, async ({ parentClubId }) => {
    const clubs = await listClubs(db, parentClubId);
    return { clubs: clubs.map((club) => ({ _id: club.id, name: club.name })) };
  });

  serve.open(contract.findClubBySlug, async ({ club }) => {
    const clubId = await findClubIdBySlug(db, club);
    if (!clubId) throw notFound('The club');
    return { clubId };
  });

  serve.open(contract.findClub, async ({ clubId }) => {
    const club = await findClub(db, clubId);
    if (!club) throw notFound('The club');
    return { document: { _id: club.id, name: club.name, parent_club: club.parentId } };
  });
}
