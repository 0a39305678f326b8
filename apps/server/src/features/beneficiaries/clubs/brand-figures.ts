import { type Cents, type IsoDate, total } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import { brandName } from '#tenants/load-tenants.ts';
import { minPublishedSupporters } from './club-figures.ts';
import { type ClubSums, listClubSums } from './club-overview.ts';
import { type Brands, homeOf } from './club-pages.ts';

export interface BrandFigures {
  id: string;
  name: string;
  clubs: number;
  supporters: number | null;
  monthCents: Cents;
  collectedCents: Cents;
}

/**
 * Sums the clubs at home with each brand, those with the most first; a supporter of two clubs counts with both.
 * Supporters of a club with fewer than five are counted for the organisation alone.
 */
export async function listBrandFigures(
  db: Db,
  brands: Brands,
  { month, isForOrganisation }: { month: IsoDate; isForOrganisation: boolean },
): Promise<BrandFigures[]> {
  const isCounted = ({ supporters }: ClubSums) => isForOrganisation || supporters >= minPublishedSupporters;
  const clubs = (await listClubSums(db, month)).map((club) => ({ ...club, brand: homeOf(brands, club).tenant }));
  return [...Map.groupBy(clubs, ({ brand }) => brand.key)]
    .map(([id, own]) => ({
      id,
      name: brandName(brands.tenants, id),
      clubs: own.length,
      supporters: own.some(isCounted)
        ? own.filter(isCounted).reduce((sum, { supporters }) => sum + supporters, 0)
        : null,
      monthCents: total(own.map(({ monthCents }) => monthCents)),
      collectedCents: total(own.map(({ collectedCents }) => collectedCents)),
    }))
    .sort((one, other) => other.collectedCents - one.collectedCents || one.name.localeCompare(other.name));
}
