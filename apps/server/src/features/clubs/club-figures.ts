import { addDays, type IsoDate, monthStart, sydneyTime } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import { recordEvents } from '#features/events/record-events.ts';

/** Fewer are not shown: two figures of a small club would tell what one person gave. */
export const minShownSupporters = 5;

export interface SupportersOfClub {
  club: string;
  supporters: number;
}

/** Counts a bucket's supporters from whom something has cleared, closed accounts included: what was given stays given. */
export const countSupportersOfClubs = (bucket: Db): Promise<SupportersOfClub[]> => bucket<SupportersOfClub[]>`
  select club_id as club, count(*)::int as supporters
  from ledger_balances balance join supporters using (supporter_id)
  where balance.account = 'club_payable' and balance.cents > 0 group by club_id`;

/** Keeps from how many supporters something has cleared for each club, small ones included, for the organisation alone. */
export async function keepClubSupporters(tx: Db, counts: SupportersOfClub[]): Promise<void> {
  await tx`
    with counted as (
      select club as club_id, sum(supporters)::int as supporters
      from jsonb_to_recordset(${tx.json(counts)}) as counted (club uuid, supporters integer) group by club
    )
    merge into club_supporters kept using counted on kept.club_id = counted.club_id
    when matched and kept.supporters <> counted.supporters then update set supporters = counted.supporters
    when not matched then insert (club_id, supporters) values (counted.club_id, counted.supporters)
    when not matched by source then delete`;
}

/** Selects how many have given to the club of a row and to those under it; null for fewer than five, the organisation apart. */
export function supportersOfClub(db: Db, isForOrganisation: boolean) {
  const publicly = db`(select supporters from club_figures where club_id = club.id)`;
  if (!isForOrganisation) return publicly;
  return db`coalesce((
    select sum(supporters)::int from club_supporters join clubs one on one.id = club_id
    where one.id = club.id or one.parent_id = club.id
  ), ${publicly}, 0)`;
}

/**
 * Keeps what has cleared for each club, and from how many supporters, so that no page ever counts. A parent shows the sum
 * of the clubs that are shown themselves, since a sum of all, less those, would be the figure of the others. A month's
 * figure is what anybody could work out from two days' figures.
 */
export async function keepClubFigures(tx: Db, counts: SupportersOfClub[], until: IsoDate): Promise<void> {
  const month = monthStart(until);
  const counted = await tx<{ clubId: string; before: number | null; supporters: number | null }[]>`
    with givers as (
      select club as club_id, sum(supporters)::int as supporters
      from jsonb_to_recordset(${tx.json(counts)}) as counted (club uuid, supporters integer)
      group by club having sum(supporters) >= ${minShownSupporters}
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
  const at = sydneyTime(addDays(until, 1), '00:00');
  await recordEvents(
    tx,
    counted
      .filter(({ before, supporters }) => before !== supporters)
      .map(({ clubId, supporters }) => {
        const data = { clubId, supporters, until };
        return { type: 'supporter.count', about: `${clubId} ${until}`, clubId, data, at };
      }),
  );
}
