import type { Db } from '#db/connect.ts';

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

/**
 * Keeps what has cleared for each club, and from how many supporters, so that no page ever counts. A parent shows the sum
 * of the clubs that are shown themselves, since a sum of all, less those, would be the figure of the others.
 */
export async function keepClubFigures(tx: Db, counts: SupportersOfClub[]): Promise<void> {
  await tx`
    with givers as (
      select club as club_id, sum(supporters)::int as supporters
      from jsonb_to_recordset(${tx.json(counts)}) as counted (club uuid, supporters integer)
      group by club having sum(supporters) >= ${minShownSupporters}
    ),
    counted as (
      select shown.club_id, sum(balance.cents)::bigint as raised_cents, sum(supporters)::int as supporters
      from givers join club_balances balance using (club_id) join clubs club on club.id = club_id
        cross join lateral (values (club.id), (club.parent_id)) as shown (club_id)
      where balance.account = 'collected' and shown.club_id is not null
      group by shown.club_id
    )
    merge into club_figures figures using counted on figures.club_id = counted.club_id
    when matched and (figures.raised_cents, figures.supporters) is distinct from (counted.raised_cents, counted.supporters)
      then update set raised_cents = counted.raised_cents, supporters = counted.supporters
    when not matched then insert (club_id, raised_cents, supporters)
      values (counted.club_id, counted.raised_cents, counted.supporters)
    when not matched by source then delete`;
}
