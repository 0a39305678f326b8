import type { IsoDate } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import { type ClubInCampaign, clubEnd, earlierEnd, isOver } from '#tenants/campaign-end.ts';
import { hasEnded, type Tenant, type Tenants } from '#tenants/load-tenants.ts';
import { findClub } from './club-repository.ts';

/** The day's running campaigns, clubs whose campaign has ended, and suspended tenants. */
export interface Campaigns {
  tenants: Tenant[];
  endedClubs: string[];
  suspendedTenants: string[];
}

export const runningCampaigns = async (db: Db, tenants: Tenants, day: IsoDate): Promise<Campaigns> => ({
  tenants: tenants.list().filter((tenant) => !hasEnded(tenant, day)),
  endedClubs: await listEndedClubs(db, tenants, day),
  suspendedTenants: await suspendedTenantKeys(db),
});

/** Returns the keys of the tenants suspended now. */
export async function suspendedTenantKeys(db: Db): Promise<string[]> {
  const rows = await db.inControl()<{ key: string }[]>`select tenant_key as key from suspended_tenants`;
  return rows.map(({ key }) => key);
}

/** Lists the clubs that are retired, or whose campaign is over, on a day. */
export async function listEndedClubs(db: Db, tenants: Tenants, day: IsoDate): Promise<string[]> {
  const ended = tenants.list().filter((tenant) => hasEnded(tenant, day));
  const own = ended.flatMap(({ clubID }) => clubID ?? []);
  const parents = ended.flatMap(({ parentClubId }) => parentClubId ?? []);
  const clubs = await db<ClubInCampaign[]>`
    select id, parent_id as "parentId", ends_on as "endsOn" from clubs
    where ends_on <= ${day} or id::text = any(${[...own, ...parents]}) or parent_id::text = any(${parents})`;
  return clubs.filter((club) => isOver(clubEnd(tenants.list(), club), day)).map(({ id }) => id);
}

/** Returns when a club's gifts end, and whether they have. */
export function endOfClub(tenants: Tenants, club: ClubInCampaign, day: IsoDate) {
  const endsOn = clubEnd(tenants.list(), club);
  return { endsOn, hasEnded: isOver(endsOn, day) };
}

/**
 * Returns the day from which a supporter gives nothing more: the earlier end of their tenant's campaign and their
 * club's; null if neither ends.
 */
export function earliestEnd(tenants: Tenants, tenantKey: string, club: ClubInCampaign): IsoDate | null {
  const ofTenant = (tenants.byKey(tenantKey)?.endsOn ?? null) as IsoDate | null;
  return earlierEnd(ofTenant, clubEnd(tenants.list(), club));
}

/** Reads a supporter's club and returns their earliest end. */
export async function campaignEnd(
  db: Db,
  tenants: Tenants,
  { tenantKey, clubId }: { tenantKey: string; clubId: string },
): Promise<IsoDate | null> {
  return earliestEnd(tenants, tenantKey, (await findClub(db, clubId)) ?? { id: clubId, parentId: null });
}
