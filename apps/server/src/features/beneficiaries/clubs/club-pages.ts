import type { ClubPage, Landing, ListedClub } from '@sparechange/contract';
import { type Cents, cents, type IsoDate, monthStart } from '@sparechange/domain';
import { clubEnd, isOver } from '#tenants/campaign-end.ts';
import { hasEnded, type Tenant, type Tenants, tenantOrDefault } from '#tenants/load-tenants.ts';
import type { Sites } from '#tenants/tenant-site.ts';
import type { PublicClub } from './club-repository.ts';

const fileURL = (folder: 'logos' | 'pictures', name: string | null): string | null =>
  name === null ? null : `/tenants/${folder}/${name}`;

type Figures = Pick<PublicClub, 'raisedCents' | 'supporters' | 'month' | 'monthCents' | 'goalDollars'>;

const wholeDollars = (amount: Cents | null): number => Math.floor((amount ?? 0) / 100);

/** Leaves out the cents, so that a day's change cannot be matched to a purchase, and another month's figure. */
export function figuresOf(
  { raisedCents, supporters, month, monthCents, goalDollars }: Figures,
  day: IsoDate,
): ClubPage['figures'] {
  const raisedDollars = wholeDollars(raisedCents);
  if (supporters === null || raisedDollars < 1) return null;
  const monthDollars = month === monthStart(day) ? wholeDollars(monthCents) : 0;
  return {
    raisedDollars,
    supporters,
    ...(monthDollars > 0 ? { monthDollars } : {}),
    ...(goalDollars === null ? {} : { goalDollars }),
  };
}

/** Returns a club for a list to choose from. */
export const listedClub = ({
  id,
  name,
  suburb,
  logo,
}: Pick<PublicClub, 'id' | 'name' | 'suburb' | 'logo'>): ListedClub => ({
  _id: id,
  name,
  suburb,
  logoURL: fileURL('logos', logo),
});

export interface Brands {
  tenants: Tenants;
  sites: Sites;
}

/** Returns the brand with which a club is at home, its own, its parent's or ours, and its address there. */
export function homeOf(
  { tenants, sites }: Brands,
  { id, parentId, slug }: Pick<PublicClub, 'id' | 'parentId' | 'slug'>,
) {
  const brands = tenants.list().filter(({ key }) => key !== 'default');
  const own = brands.find(({ clubID, parentClubId }) => (parentClubId ?? clubID) === id);
  if (own) return { tenant: own, address: sites.siteOf(own.key) };
  const parent = brands.find(({ parentClubId }) => parentClubId !== undefined && parentClubId === parentId);
  const tenant = parent ?? tenantOrDefault(tenants, 'default');
  return { tenant, address: new URL(`/${slug}`, sites.siteOf(tenant.key)) };
}

/** Returns the public page of a club. */
export const clubLanding = (tenants: Tenants, club: PublicClub, day: IsoDate): Landing => ({
  clubId: club.id,
  hasEnded: isOver(clubEnd(tenants.list(), club), day),
  page: {
    name: club.name,
    about: club.about,
    suburb: club.suburb,
    sport: club.sport,
    logoURL: fileURL('logos', club.logo),
    pictureURL: fileURL('pictures', club.picture),
    abn: club.abn,
    figures: figuresOf(club, day),
  },
});

/** Sums the figures of clubs without a parent, which include those of the clubs under them. */
function sumOf(clubs: PublicClub[]): Figures {
  const shown = clubs.filter(({ parentId, supporters }) => parentId === null && supporters !== null);
  const total = (of: (club: PublicClub) => number | null) => shown.reduce((sum, club) => sum + (of(club) ?? 0), 0);
  return {
    raisedCents: cents(total(({ raisedCents }) => raisedCents)),
    supporters: total(({ supporters }) => supporters),
    month: shown[0]?.month ?? null, // they are all counted together
    monthCents: cents(total(({ monthCents }) => monthCents)),
    goalDollars: null,
  };
}

/**
 * Returns the public page of a brand: its club's or its parent's, or that of all clubs. The brand of a single club ends
 * with it.
 */
export function brandLanding(
  tenant: Tenant,
  clubs: PublicClub[],
  { day, isOfOneClub }: { day: IsoDate; isOfOneClub: boolean },
): Landing {
  const ownId = tenant.parentClubId ?? tenant.clubID;
  const own = clubs.find(({ id }) => id === ownId);
  return {
    clubId: null,
    hasEnded: hasEnded(tenant, day) || (isOfOneClub && isOver(own?.endsOn ?? null, day)),
    page: {
      name: tenant.name,
      about: tenant.about ?? own?.about ?? null,
      suburb: own?.suburb ?? null,
      sport: own?.sport ?? null,
      logoURL: null,
      pictureURL: fileURL('pictures', tenant.picture ?? own?.picture ?? null),
      abn: tenant.abn ?? own?.abn ?? null,
      figures: figuresOf(own ?? sumOf(clubs), day),
    },
  };
}
