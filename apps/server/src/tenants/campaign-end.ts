import type { IsoDate } from '@sparechange/domain';
import type { Tenant } from './load-tenants.ts';

export interface ClubInCampaign {
  id: string;
  parentId: string | null;
  /** The day from which it is retired. */
  endsOn?: IsoDate | null;
}

/** Lists the tenants under whose own name a club is supported; the default brand offers everybody's clubs. */
const campaignsOf = (tenants: Tenant[], { id, parentId }: ClubInCampaign): Tenant[] =>
  tenants.filter(
    ({ key, clubID, parentClubId }) =>
      key !== 'default' &&
      (clubID === id || (parentClubId !== undefined && (parentClubId === parentId || parentClubId === id))),
  );

/** Returns the day from which a club no longer takes gifts: it is retired, or its last campaign is over. */
export function clubEnd(tenants: Tenant[], club: ClubInCampaign): IsoDate | null {
  const ends = campaignsOf(tenants, club).map(({ endsOn }) => endsOn);
  const ofCampaigns = ends.includes(undefined) ? null : ((ends.toSorted().at(-1) ?? null) as IsoDate | null);
  return earlierEnd(club.endsOn ?? null, ofCampaigns);
}

/** Returns the earlier of two ends. */
export const earlierEnd = (one: IsoDate | null, other: IsoDate | null): IsoDate | null =>
  one === null || (other !== null && other < one) ? other : one;

/** True from the day of an end on. */
export const isOver = (end: IsoDate | null, day: IsoDate): boolean => end !== null && day >= end;
