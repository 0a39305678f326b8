import { type Cents, type IsoDate, monthStart } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import { recordEvents } from '#features/core/events/record-events.ts';

/**
 * Suppresses the published figures of clubs with fewer supporters: two figures of a small club would reveal one
 * person's gift.
 */
export const minPublishedSupporters = 5;

/** Returns a club's number of supporters, or the text for numbers so small that a figure may be one person's. */
export const publishedSupporters = (supporters: number, ifFewer: string): string =>
  supporters < minPublishedSupporters ? ifFewer : String(supporters);

export interface ClubSupporters {
  club: string;
  supporters: number;
}

/** Counts, for each club, a bucket's supporters with a cleared debit; closed accounts count, as their gifts remain. */
export const countSupportersOfClubs = (bucket: Db): Promise<ClubSupporters[]> => bucket<ClubSupporters[]>`
  select club_id as club, count(*)::int as supporters
  from ledger_balances balance join supporters using (supporter_id)
  where balance.account = 'club_payable' and balance.cents > 0 group by club_id`;

/**
 * Saves the number of supporters of every club, small ones included; it is shown to the organisation alone. There is no
 * concurrent writer: the caller has rolled the days up. Three statements, as Citus supports no such `merge`.
 */
export async function saveClubSupporters(tx: Db, counts: ClubSupporters[]): Promise<void> {
  const supporters = sumsByClub(counts);
  const clubs = [...supporters.keys()];
  await tx`delete from club_supporters where club_id <> all(${clubs}::uuid[])`;
  await tx`
    insert into club_supporters as saved (club_id, supporters)
    select club_id, supporters from unnest(${clubs}::uuid[], ${[...supporters.values()]}::integer[]) as counted (club_id, supporters)
    on conflict (club_id) do update set supporters = excluded.supporters where saved.supporters <> excluded.supporters`;
}

/** Sums the buckets' counts for each club. */
function sumsByClub(counts: ClubSupporters[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { club, supporters } of counts) sums.set(club, (sums.get(club) ?? 0) + supporters);
  return sums;
}

/**
 * Selects the supporters of a row's club and of the clubs under it; null for fewer than five, except for the
 * organisation.
 */
export function selectSupporters(db: Db, isForOrganisation: boolean) {
  const publicly = db`(select supporters from club_figures where club_id = club.id)`;
  if (!isForOrganisation) return publicly;
  return db`coalesce((
    select sum(supporters)::int from club_supporters join clubs one on one.id = club_id
    where one.id = club.id or one.parent_id = club.id
  ), ${publicly}, 0)`;
}

/** Condition that a row's club, or one under it, has supporters; without the organisation, that their number is shown. */
export function hasSupporters(db: Db, isForOrganisation: boolean) {
  const publicly = db`select club_id from club_figures`;
  if (!isForOrganisation) return db`club.id in (${publicly})`;
  return db`club.id in (
    select shown.club_id from club_supporters counted join clubs one on one.id = counted.club_id
      cross join lateral (values (one.id), (one.parent_id)) as shown (club_id)
    where counted.supporters > 0 union all ${publicly})`;
}

/** Saves the figures that clubs publish, and records an event for each number of supporters that has changed. */
export async function publishClubFigures(tx: Db, counts: ClubSupporters[], until: IsoDate, at: Date): Promise<void> {
  await recordSupporterCounts(tx, await saveClubFigures(tx, counts, until), until, at);
}

interface SavedFigure {
  clubId: string;
  /** Supporters published before; null for a club without a figure. */
  before: number | null;
  /** Null for a club that no longer publishes a figure. */
  supporters: number | null;
}

interface ClubFigure {
  clubId: string;
  raisedCents: Cents;
  supporters: number;
  monthCents: Cents;
}

/**
 * Saves the cleared amount and supporters of each club, so that no page counts them; returns the previous and present
 * figures. A parent's figure sums only clubs that publish their own: a sum of all, less those, would be the figure of
 * the others.
 */
async function saveClubFigures(tx: Db, counts: ClubSupporters[], until: IsoDate): Promise<SavedFigure[]> {
  const before = await tx<
    { clubId: string; supporters: number }[]
  >`select club_id as "clubId", supporters from club_figures`;
  const figures = await sumClubFigures(tx, counts, until);
  await tx`delete from club_figures where club_id <> all(${figures.map(({ clubId }) => clubId)}::uuid[])`;
  await tx`
    insert into club_figures as saved (club_id, raised_cents, supporters, month, month_cents)
    select club_id, raised_cents, supporters, ${monthStart(until)}::date, month_cents
    from unnest(${figures.map(({ clubId }) => clubId)}::uuid[], ${figures.map(({ raisedCents }) => raisedCents)}::bigint[],
      ${figures.map(({ supporters }) => supporters)}::integer[], ${figures.map(({ monthCents }) => monthCents)}::bigint[])
      as counted (club_id, raised_cents, supporters, month_cents)
    on conflict (club_id) do update set raised_cents = excluded.raised_cents, supporters = excluded.supporters,
      month = excluded.month, month_cents = excluded.month_cents
    where (saved.raised_cents, saved.supporters, saved.month, saved.month_cents)
      is distinct from (excluded.raised_cents, excluded.supporters, excluded.month, excluded.month_cents)`;
  const [were, are] = [before, figures].map((of) => new Map(of.map(({ clubId, supporters }) => [clubId, supporters])));
  return [...new Set([...before, ...figures].map(({ clubId }) => clubId))].map((clubId) => ({
    clubId,
    before: were?.get(clubId) ?? null,
    supporters: are?.get(clubId) ?? null,
  }));
}

/**
 * Sums the figures of clubs that have enough supporters. The month's figure reveals nothing new: it is the difference
 * of two days' figures.
 */
async function sumClubFigures(tx: Db, counts: ClubSupporters[], until: IsoDate): Promise<ClubFigure[]> {
  const givers = [...sumsByClub(counts)].filter(([, supporters]) => supporters >= minPublishedSupporters);
  return tx<ClubFigure[]>`
    with givers as (
      select club_id, supporters from unnest(${givers.map(([club]) => club)}::uuid[], ${givers.map(([, each]) => each)}::integer[])
        as counted (club_id, supporters)
    )
    select shown.club_id as "clubId", sum(balance.cents)::bigint as "raisedCents", sum(supporters)::int as supporters,
      sum(month.cents)::bigint as "monthCents"
    from givers join club_balances balance using (club_id) join clubs club on club.id = club_id
      cross join lateral (
        select coalesce(sum(cents), 0) as cents from club_entries entry
        where entry.club_id = club.id and kind = 'collected' and entry.account = 'collected'
          and booked_on >= ${monthStart(until)} and booked_on <= ${until}
      ) as month
      cross join lateral (values (club.id), (club.parent_id)) as shown (club_id)
    where balance.account = 'collected' and shown.club_id is not null
    group by shown.club_id`;
}

async function recordSupporterCounts(tx: Db, saved: SavedFigure[], until: IsoDate, at: Date): Promise<void> {
  await recordEvents(
    tx,
    saved
      .filter(({ before, supporters }) => before !== supporters)
      .map(({ clubId, supporters }) => {
        const data = { clubId, supporters, until };
        return { type: 'supporter.count', about: `${clubId} ${until}`, clubId, data, at };
      }),
  );
}
