import { type IsoDate, monthStart } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import { recordEvents } from '#features/events/record-events.ts';

/** Suppresses the published figures of clubs with fewer: two figures of a small club would tell what one person gave. */
export const minPublishedSupporters = 5;

/** Returns how many support a club, or what is said where they are so few that a figure may be one person's. */
export const publishedSupporters = (supporters: number, ifFewer: string): string =>
  supporters < minPublishedSupporters ? ifFewer : String(supporters);

export interface ClubSupporters {
  club: string;
  supporters: number;
}

/** Counts, for each club, a bucket's supporters with a cleared debit; closed accounts count, as what they gave stays given. */
export const countSupportersOfClubs = (bucket: Db): Promise<ClubSupporters[]> => bucket<ClubSupporters[]>`
  select club_id as club, count(*)::int as supporters
  from ledger_balances balance join supporters using (supporter_id)
  where balance.account = 'club_payable' and balance.cents > 0 group by club_id`;

/** Saves the number of supporters of every club, small ones included; it is shown to the organisation alone. */
export async function saveClubSupporters(tx: Db, counts: ClubSupporters[]): Promise<void> {
  await tx`
    with counted as (
      select club as club_id, sum(supporters)::int as supporters
      from jsonb_to_recordset(${tx.json(counts)}) as counted (club uuid, supporters integer) group by club
    )
    merge into club_supporters saved using counted on saved.club_id = counted.club_id
    when matched and saved.supporters <> counted.supporters then update set supporters = counted.supporters
    when not matched then insert (club_id, supporters) values (counted.club_id, counted.supporters)
    when not matched by source then delete`;
}

/** Selects the supporters of a row's club and of the clubs under it; for the organisation alone also fewer than five, else null. */
export function selectSupporters(db: Db, isForOrganisation: boolean) {
  const publicly = db`(select supporters from club_figures where club_id = club.id)`;
  if (!isForOrganisation) return publicly;
  return db`coalesce((
    select sum(supporters)::int from club_supporters join clubs one on one.id = club_id
    where one.id = club.id or one.parent_id = club.id
  ), ${publicly}, 0)`;
}

/** Saves the figures that clubs publish, and records an event for each number of supporters that has changed. */
export async function publishClubFigures(tx: Db, counts: ClubSupporters[], until: IsoDate, at: Date): Promise<void> {
  await recordSupporterCounts(tx, await saveClubFigures(tx, counts, until), until, at);
}

interface SavedFigure {
  clubId: string;
  /** The supporters published before; null for a club that had no figure. */
  before: number | null;
  /** Null for a club that publishes no figure any more. */
  supporters: number | null;
}

/**
 * Saves what has cleared for each club, and its supporters, so that no page counts them. A parent's figure adds up only
 * clubs that publish their own: a sum of all, less those, would be the figure of the others. The month's figure tells
 * nothing new: it is the difference of two days' figures.
 */
function saveClubFigures(tx: Db, counts: ClubSupporters[], until: IsoDate): Promise<SavedFigure[]> {
  const month = monthStart(until);
  return tx<SavedFigure[]>`
    with givers as (
      select club as club_id, sum(supporters)::int as supporters
      from jsonb_to_recordset(${tx.json(counts)}) as counted (club uuid, supporters integer)
      group by club having sum(supporters) >= ${minPublishedSupporters}
    ),
    counted as (
      select shown.club_id, sum(balance.cents)::bigint as raised_cents, sum(supporters)::int as supporters,
        sum(month.cents)::bigint as month_cents
      from givers join club_balances balance using (club_id) join clubs club on club.id = club_id
        cross join lateral (
          select coalesce(sum(cents), 0) as cents from club_entries entry
          where entry.club_id = club.id and kind = 'collected' and entry.account = 'collected'
            and booked_on >= ${month} and booked_on <= ${until}
        ) as month
        cross join lateral (values (club.id), (club.parent_id)) as shown (club_id)
      where balance.account = 'collected' and shown.club_id is not null
      group by shown.club_id
    )
    merge into club_figures figures using counted on figures.club_id = counted.club_id
    when matched and (figures.raised_cents, figures.supporters, figures.month, figures.month_cents)
      is distinct from (counted.raised_cents, counted.supporters, ${month}::date, counted.month_cents)
      then update set raised_cents = counted.raised_cents, supporters = counted.supporters, month = ${month},
        month_cents = counted.month_cents
    when not matched then insert (club_id, raised_cents, supporters, month, month_cents)
      values (counted.club_id, counted.raised_cents, counted.supporters, ${month}, counted.month_cents)
    when not matched by source then delete
    returning coalesce(new.club_id, old.club_id) as "clubId", old.supporters as before, new.supporters as supporters`;
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
