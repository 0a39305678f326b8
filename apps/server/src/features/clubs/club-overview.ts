import type { ClubState } from '@sparechange/contract/console';
import type { Cents } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import type { Tenant } from '#tenants/load-tenants.ts';
import type { Club, PublicClub } from './club-repository.ts';

/** Returns which clubs belong to a tenant: those of its own brand, or for the default one all that belong to no other. */
export function clubsOfTenant(tenants: Tenant[], key: string) {
  const brands = tenants.filter((tenant) => tenant.key !== 'default' && (key === 'default' || tenant.key === key));
  const parentIds = brands.flatMap(({ parentClubId = [] }) => parentClubId);
  const ids = brands.flatMap(({ clubID, parentClubId }) => parentClubId ?? clubID ?? []);
  return { ids, parentIds, isExcluding: key === 'default' };
}

interface OverviewFilter {
  after?: string | undefined;
  limit: number;
  search?: string | undefined;
  ofTenant?: ReturnType<typeof clubsOfTenant> | undefined;
  state?: ClubState | undefined;
  /** Clubs that take no gifts any more. */
  endedIds: string[];
}

export interface OverviewRow extends Club, Pick<PublicClub, 'suburb' | 'supporters'> {
  parent: string | null;
  hasAccount: boolean;
  isAccountChanging: boolean;
  collectedCents: Cents;
}

/** Lists clubs by name, after the one with which the page before ended. */
export function listOverview(db: Db, { after, limit, search, ofTenant, state, endedIds }: OverviewFilter) {
  const isChanging = db`exists (
    select from bank_detail_changes where club_id = club.id and applied_at is null and cancelled_at is null)`;
  const inState = {
    active: db`club.id <> all(${endedIds}::uuid[])`,
    ended: db`club.id = any(${endedIds}::uuid[])`,
    without_account: db`club.account_number_encrypted is null`,
    account_changing: isChanging,
  };
  return db<OverviewRow[]>`
    select club.id, club.name, club.slug, club.parent_id as "parentId", parent.name as parent, club.suburb, club.ends_on as "endsOn",
      club.account_number_encrypted is not null as "hasAccount", ${isChanging} as "isAccountChanging",
      coalesce(balance.cents, 0)::bigint as "collectedCents", figures.supporters
    from clubs club left join clubs parent on parent.id = club.parent_id
      left join club_balances balance on balance.club_id = club.id and balance.account = 'collected'
      left join club_figures figures on figures.club_id = club.id
    where ${after ? db`(lower(club.name), club.id) > (select lower(name), id from clubs where id::text = ${after})` : db`true`}
      and ${search ? db`position(lower(${search}) in lower(concat_ws(' ', club.name, club.slug, club.suburb, club.abn, club.contact_email))) > 0` : db`true`}
      and ${
        ofTenant
          ? db`(club.id = any(${ofTenant.ids}::uuid[]) or coalesce(club.parent_id = any(${ofTenant.parentIds}::uuid[]), false)) <> ${ofTenant.isExcluding}`
          : db`true`
      }
      and ${state ? inState[state] : db`true`}
    order by lower(club.name), club.id limit ${limit}`;
}

export interface ClubBalances {
  collectedCents: Cents;
  inTransitCents: Cents;
  remittedCents: Cents;
  payableCents: Cents;
  reservedCents: Cents;
}

/** Returns a club's balances of closed days. */
export async function findClubBalances(db: Db, clubId: string): Promise<ClubBalances> {
  const rows = await db<{ account: string; cents: Cents }[]>`
    select account, cents from club_balances where club_id = ${clubId}`;
  const of = (account: string) => (rows.find((row) => row.account === account)?.cents ?? 0) as Cents;
  return {
    collectedCents: of('collected'),
    inTransitCents: of('in_transit'),
    remittedCents: of('remitted'),
    payableCents: of('payable'),
    reservedCents: of('reserved'),
  };
}

/** Lists clubs that others are under, or that have no parent and may get some: the former first. */
export const listParents = (db: Db) => db<{ id: string; name: string }[]>`
  select id, name from clubs
  where parent_id is null
  order by exists (select from clubs child where child.parent_id = clubs.id) desc, lower(name) limit 500`;
