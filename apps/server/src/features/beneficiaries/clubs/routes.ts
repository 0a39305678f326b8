import * as contract from '@sparechange/contract';
import type { Pool } from '#db/connect.ts';
import { NotFound } from '#errors.ts';
import type { Serve } from '#http/serve.ts';
import { type Clock, today } from '#ports/clock.ts';
import { clubEnd, isOver } from '#tenants/campaign-end.ts';
import type { Tenants } from '#tenants/load-tenants.ts';
import { clubLanding, figuresOf, listedClub } from './club-pages.ts';
import { type Club, listClubs, listPublicClubs } from './club-repository.ts';

interface ClubDeps {
  db: Pool;
  clock: Clock;
  tenants: Tenants;
}

export function clubRoutes(serve: Serve, { db, clock, tenants }: ClubDeps): void {
  const hasEnded = (club: Club) => isOver(clubEnd(tenants.list(), club), today(clock));
  const endOf = (ended: boolean) => (ended ? { hasEnded: true as const } : {});

  serve.open(contract.retrieveClubs, async ({ parentClubId }) => {
    const clubs = (await listClubs(db, parentClubId)).filter((club) => !hasEnded(club));
    return { clubs: clubs.map(listedClub) };
  });

  serve.open(contract.findClubBySlug, async ({ club: slug }) => {
    const [club] = await listPublicClubs(db, { slug: slug.toLowerCase() });
    if (!club) throw new NotFound('The club');
    const landing = clubLanding(tenants, club, today(clock));
    return { clubId: club.id, page: landing.page, ...endOf(landing.hasEnded) };
  });

  serve.open(contract.findClub, async ({ clubId }) => {
    const [club] = await listPublicClubs(db, { id: clubId });
    if (!club) throw new NotFound('The club');
    const { id: _id, name, parentId: parent_club, slug } = club;
    const figures = figuresOf(club, today(clock));
    const { logoURL } = listedClub(club);
    return { document: { _id, name, parent_club, slug, logoURL, figures, ...endOf(hasEnded(club)) } };
  });
}
