import type { Cents } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';

/** A club paid more than donations less claims and refunds. */
export interface ClubReceivable {
  clubId: string;
  club: string;
  cents: Cents;
}

/**
 * Lists what clubs owe beyond the reserve held back from them, the largest first: money claimed back by banks
 * or refunded to supporters after it had been remitted. The club's next donations pay it. Days that are still open are included.
 */
export async function listClubReceivables(db: Db): Promise<ClubReceivable[]> {
  const receivables = await db<ClubReceivable[]>`
    with open_days as (
      select club_id, -sum(cents)::bigint as cents from ledger_entries, closed_days
      where account = 'club_payable' and booked_on > coalesce(closed_until, '-infinity') group by club_id
    ), payable as (
      select club_id, coalesce(balance.cents, 0) + coalesce(open_days.cents, 0) as cents
      from (
        select club_id, sum(cents)::bigint as cents from club_balances where account in ('payable', 'reserved') group by club_id
      ) balance full join open_days using (club_id)
    )
    select club_id as "clubId", name as club, -cents as cents
    from payable join clubs on clubs.id = club_id where cents < 0 order by cents, club_id`;
  return [...receivables];
}
