import type { Db } from '#db/connect.ts';

/** Fewer are not shown: two figures of a small club would tell what one person gave. */
export const minShownSupporters = 5;

/**
 * Counts what has cleared for each club, and from how many supporters: one pass over the balances, so that no page ever
 * counts. Closed accounts are included, as what was given stays given. A parent shows the sum of the clubs that are shown
 * themselves, since a sum of all, less those, would be the figure of the others.
 */
export async function countClubFigures(tx: Db): Promise<void> {
  await tx`
    with givers as (
      select club_id, count(*)::int as supporters
      from ledger_balances balance join supporters using (supporter_id)
      where balance.account = 'club_payable' and balance.cents > 0
      group by club_id having count(*) >= ${minShownSupporters}
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
