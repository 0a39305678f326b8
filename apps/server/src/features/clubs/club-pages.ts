import type { ClubPage, Landing } from '@sparechange/contract';
import type { IsoDate } from '@sparechange/domain';
import { clubEnd } from '#tenants/campaign-end.ts';
import { hasEnded, type Tenant, type Tenants } from '#tenants/load-tenants.ts';
import type { Sites } from '#tenants/tenant-site.ts';
import { isOver } from './campaigns.ts';
import type { PublicClub } from './club-repository.ts';

const fileURL = (folder: 'logos' | 'pictures', name: string | null): string | null =>
  name === null ? null : `/tenants/${folder}/${name}`;

type Figures = Pick<PublicClub, 'raisedCents' | 'supporters'>;

/** Leaves out the cents, so that a day's change cannot be matched to a purchase. */
const figuresOf = ({ raisedCents, supporters }: Figures): ClubPage['figures'] =>
  raisedCents === null || supporters === null || raisedCents < 100
    ? null
    : { raisedDollars: Math.floor(raisedCents / 100), supporters };

export const logoOf = ({ logo }: Pick<PublicClub, 'logo'>): string | null => fileURL('logos', logo);

export interface Brands {
  tenants: Tenants;
  sites: Sites;
}

/** Returns the address where a club is at home: its own brand, its parent's, or ours. */
export function addressOf({ tenants, sites }: Brands, { id, parentId, slug }: PublicClub): string {
  const brands = tenants.list().filter(({ key }) => key !== 'default');
  const own = brands.find(({ clubID, parentClubId }) => (parentClubId ?? clubID) === id);
  if (own) return sites.siteOf(own.key).href;
  const parent = brands.find(({ parentClubId }) => parentClubId !== undefined && parentClubId === parentId);
  return new URL(`/${slug}`, sites.siteOf(parent?.key ?? 'default')).href;
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
    logoURL: logoOf(club),
    pictureURL: fileURL('pictures', club.picture),
    abn: club.abn,
    figures: figuresOf(club),
  },
});

/** Adds up the figures of clubs without a parent, which hold those of the clubs under them. */
const sumOf = (clubs: PublicClub[]): Figures => {
  const shown = clubs.filter(({ parentId, supporters }) => parentId === null && supporters !== null);
  return shown.length === 0
    ? { raisedCents: null, supporters: null }
    : {
        raisedCents: shown.reduce((sum, club) => sum + (club.raisedCents ?? 0), 0) as PublicClub['raisedCents'],
        supporters: shown.reduce((sum, club) => sum + (club.supporters ?? 0), 0),
      };
};

/** Returns the public page of a brand: its club's or its parent's, or that of all clubs. */
export function brandLanding(tenant: Tenant, clubs: PublicClub[], day: IsoDate): Landing {
  const ownId = tenant.parentClubId ?? tenant.clubID;
  const own = clubs.find(({ id }) => id === ownId);
  return {
    clubId: null,
    hasEnded: hasEnded(tenant, day),
    page: {
      name: tenant.name,
      about: tenant.about ?? own?.about ?? null,
      suburb: own?.suburb ?? null,
      sport: own?.sport ?? null,
      logoURL: null,
      pictureURL: fileURL('pictures', tenant.picture ?? own?.picture ?? null),
      abn: tenant.abn ?? own?.abn ?? null,
      figures: figuresOf(own ?? sumOf(clubs)),
    },
  };
}
