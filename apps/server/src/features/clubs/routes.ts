import * as contract from '@sparechange/contract';
import type { Pool } from '#db/connect.ts';
import { NotFound } from '#errors.ts';
import type { Serve } from '#http/serve.ts';
import { type Clock, today } from '#ports/clock.ts';
import { clubEnd } from '#tenants/campaign-end.ts';
import type { Tenants } from '#tenants/load-tenants.ts';
import { isOver } from './campaigns.ts';
import { type Club, findClub, findClubBySlug, listClubs } from './club-repository.ts';

interface ClubDeps {
  db: Pool;
  clock: Clock;
  tenants: Tenants;
}

export function clubRoutes(serve: Serve, { db, clock, tenants }: ClubDeps): void {
  const hasEnded = (club: Club) => isOver(clubEnd(tenants.list(), club), today(clock));
  const endOf = (club: Club) => (hasEnded(club) ? { hasEnded: true as const } : {});

  serve.open(contract.retrieveClubs, async ({ parentClubId }) => {
    const clubs = await listClubs(db, parentClubId);
    return { clubs: clubs.filter((club) => !hasEnded(club)).map((club) => ({ _id: club.id, name: club.name })) };
  });

  serve.open(contract.findClubBySlug, async ({ club: slug }) => {
    const club = await findClubBySlug(db, slug);
    if (!club) throw new NotFound('The club');
    return { clubId: club.id, ...endOf(club) };
  });

  serve.open(contract.findClub, async ({ clubId }) => {
    const club = await findClub(db, clubId);
    if (!club) throw new NotFound('The club');
    const { id: _id, name, parentId: parent_club, slug } = club;
    return { document: { _id, name, parent_club, slug, ...endOf(club) } };
  });
}
