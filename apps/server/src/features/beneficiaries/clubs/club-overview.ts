import type { ClubSort, ClubState } from '@sparechange/contract/console';
import type { Cents, IsoDate } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import type { Tenant } from '#tenants/load-tenants.ts';
import { hasSupporters, selectSupporters } from './club-figures.ts';
import type { Club, PublicClub } from './club-repository.ts';

const ownClubOf = ({ clubID, parentClubId }: Tenant): string | undefined => parentClubId ?? clubID;

/**
 * Returns the clubs at home with a tenant: its own and those under it without their own brand, or for the default one
 * all that are at home with no other.
 */
export function clubsOfTenant(tenants: Tenant[], key: string) {
  const brands = tenants.filter((tenant) => tenant.key !== 'default');
  const meant = brands.filter((tenant) => key === 'default' || tenant.key === key);
  const others = brands.filter((tenant) => !meant.includes(tenant));
  return {
    ids: meant.flatMap((tenant) => ownClubOf(tenant) ?? []),
    parentIds: meant.flatMap(({ parentClubId = [] }) => parentClubId),
    elsewhereIds: others.flatMap((tenant) => ownClubOf(tenant) ?? []),
    isExcluding: key === 'default',
  };
}

interface OverviewFilter {
  after?: string | undefined;
  limit: number;
  search?: string | undefined;
  ofTenant?: ReturnType<typeof clubsOfTenant> | undefined;
  state?: ClubState | undefined;
  /** Leaves out clubs without supporters. */
  supporters?: 'some' | undefined;
  sort: ClubSort;
  /** Clubs that no longer take gifts. */
  endedIds: string[];
  /** First day of the present month. */
  month: IsoDate;
  /** Counts every supporter, and finds clubs by their contact. */
  isForOrganisation: boolean;
}

/** Selects the cleared amount for the club of a row from a day on. */
const collectedSince = (db: Db, day: IsoDate) => db`
  (select coalesce(sum(cents), 0)::bigint from club_entries
    where club_id = club.id and kind = 'collected' and account = 'collected' and booked_on >= ${day})`;

export interface OverviewRow extends Club, Pick<PublicClub, 'suburb'> {
  supporters: number | null;
  /** Amount cleared in the month. */
  monthCents: Cents;
  parent: string | null;
  hasAccount: boolean;
  isAccountChanging: boolean;
  collectedCents: Cents;
}

/** Joins a row's club with the sum that it has raised, which changes once a night, as a day is closed. */
const withBalance = (db: Db) =>
  db`left join club_balances balance on balance.club_id = club.id and balance.account = 'collected'`;
const raised = (db: Db) => db`coalesce(balance.cents, 0)`;

/** Returns the place of a row in an order; of equal sums, clubs follow by name. */
function placeIn(db: Db, sort: ClubSort) {
  const byName = db`lower(club.name), club.id`;
  switch (sort) {
    case 'name':
    case '-name':
      return byName;
    case 'raised':
      return db`${raised(db)}, ${byName}`;
    case '-raised':
      return db`-${raised(db)}, ${byName}`;
  }
}

/** Returns the order of the rows, and the condition that a row comes after the last one of the previous page. */
function pageOf(db: Db, sort: ClubSort, after: string | undefined) {
  const place = placeIn(db, sort);
  const isBackwards = sort === '-name';
  return {
    order: isBackwards ? db`lower(club.name) desc, club.id desc` : place,
    isAfter: after
      ? db`(${place}) ${isBackwards ? db`<` : db`>`} (
          select ${place} from clubs club ${withBalance(db)} where club.id::text = ${after})`
      : db`true`,
  };
}

/** Lists clubs, after the last one of the previous page. */
export function listOverview(db: Db, filter: OverviewFilter) {
  const { after, limit, search, ofTenant, state, supporters, sort, endedIds, month, isForOrganisation } = filter;
  const { order, isAfter } = pageOf(db, sort, after);
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
      ${raised(db)}::bigint as "collectedCents", ${collectedSince(db, month)} as "monthCents",
      ${selectSupporters(db, isForOrganisation)} as supporters
    from clubs club left join clubs parent on parent.id = club.parent_id
      ${withBalance(db)}
    where ${isAfter}
      and ${search ? db`position(folded(${search}) in folded(concat_ws(' ', club.name, club.slug, club.suburb, club.abn, ${isForOrganisation ? db`club.contact_email` : db`null`}))) > 0` : db`true`}
      and ${
        ofTenant
          ? db`(club.id::text = any(${ofTenant.ids}) or coalesce(club.parent_id::text = any(${ofTenant.parentIds}), false)
              and club.id::text <> all(${ofTenant.elsewhereIds})) <> ${ofTenant.isExcluding}`
          : db`true`
      }
      and ${state ? inState[state] : db`true`}
      and ${supporters ? hasSupporters(db, isForOrganisation) : db`true`}
    order by ${order} limit ${limit}`;
}

export interface ClubBalances {
  supporters: number | null;
  collectedCents: Cents;
  /** Last day that counts in the collected amount. */
  collectedUntil: IsoDate | null;
  /** Day on which its first gift cleared. */
  raisedSince: IsoDate | null;
  inTransitCents: Cents;
  remittedCents: Cents;
}

/** Returns a club's total up to the last closed day, its payouts, and its number of donors. */
export async function findClubBalances(db: Db, clubId: string, isForOrganisation: boolean): Promise<ClubBalances> {
  const [counted] = await db<{ supporters: number | null; until: IsoDate | null; since: IsoDate | null }[]>`
    select ${selectSupporters(db, isForOrganisation)} as supporters, (select rolled_up_until from closed_days) as until,
      (select min(booked_on) from club_entries where club_id = club.id and account = 'collected' and kind = 'collected') as since
    from clubs club where id = ${clubId}`;
  const rows = await db<{ account: string; cents: Cents }[]>`
    select account, cents from club_balances where club_id = ${clubId}`;
  const of = (account: string) => (rows.find((row) => row.account === account)?.cents ?? 0) as Cents;
  return {
    supporters: counted?.supporters ?? null,
    collectedCents: of('collected'),
    collectedUntil: counted?.until ?? null,
    raisedSince: counted?.since ?? null,
    inTransitCents: of('in_transit'),
    remittedCents: of('remitted'),
  };
}

/** A club's part of its brand's figures. */
export interface ClubSums extends Pick<Club, 'id' | 'slug' | 'parentId'> {
  supporters: number;
  monthCents: Cents;
  collectedCents: Cents;
}

/** Sums the cleared amounts of every club, in all and since a month's first day, and counts donors. */
export const listClubSums = (db: Db, month: IsoDate) => db<ClubSums[]>`
  select club.id, club.slug, club.parent_id as "parentId", coalesce(kept.supporters, 0) as supporters,
    coalesce(balance.cents, 0)::bigint as "collectedCents", coalesce(month.cents, 0)::bigint as "monthCents"
  from clubs club left join club_supporters kept on kept.club_id = club.id
    left join club_balances balance on balance.club_id = club.id and balance.account = 'collected'
    left join (
      select club_id, sum(cents)::bigint as cents from club_entries
      where kind = 'collected' and account = 'collected' and booked_on >= ${month} group by club_id
    ) month on month.club_id = club.id`;

const maxParents = 500;

/** Lists clubs that are parents, or may become one as they have none: the former first, 500 at most. */
export async function listParents(db: Db, search = '') {
  const found = await db<{ id: string; name: string }[]>`
    select id, name from clubs
    where parent_id is null and position(lower(${search}) in lower(name)) > 0
    order by exists (select from clubs child where child.parent_id = clubs.id) desc, lower(name), id
    limit ${maxParents + 1}`;
  return { parents: found.slice(0, maxParents), hasMoreParents: found.length > maxParents };
}
