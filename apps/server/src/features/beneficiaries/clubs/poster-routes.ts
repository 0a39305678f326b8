import * as contract from '@sparechange/contract/console';
import type { Db } from '#db/connect.ts';
import { qrCode } from '#documents/qr-code.ts';
import { NotFound } from '#errors.ts';
import { fileAnswer } from '#http/file-answer.ts';
import { describePage, pageTitle } from '#http/page-head.ts';
import type { ServeConsole } from '#http/serve-console.ts';
import { type Clock, today } from '#ports/clock.ts';
import { endOfClub } from './campaigns.ts';
import { homeOf } from './club-pages.ts';
import { findPublicClub } from './club-repository.ts';
import { drawPoster, type PosterDeps, posterAddress } from './draw-poster.ts';

const endings = {
  ...{ poster: 'poster.pdf', preview: 'poster.png', shared: 'shared.png' },
  ...{ svg: 'qr-code.svg', png: 'qr-code.png' },
} as const satisfies Record<contract.PosterFormat, string>;

/** Serves a club's link and its printed forms. */
export function posterRoutes(serve: ServeConsole, deps: PosterDeps & { db: Db; clock: Clock }): void {
  const getClub = async (id: string) => {
    const club = await findPublicClub(deps.db, id);
    if (!club) throw new NotFound('The club');
    return club;
  };

  serve.person(contract.retrieveClubLink, async ({ clubId }) => {
    const club = await getClub(clubId);
    const { tenant, address } = homeOf(deps, club);
    const end = endOfClub(deps.tenants, club, today(deps.clock));
    const widget = new URL(`/widget/${club.slug}`, address).href;
    return {
      address: address.href,
      widget,
      brand: tenant.name,
      title: pageTitle(club.name, tenant),
      description: describePage(club, club.name),
      qr: qrCode(posterAddress(deps, club)),
      ...end,
    };
  });

  serve.person(contract.downloadPoster, async ({ clubId, format }) => {
    const club = await getClub(clubId);
    return fileAnswer(`${club.slug}-${endings[format]}`, await drawPoster(deps, club, format));
  });
}
