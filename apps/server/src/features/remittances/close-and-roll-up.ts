import type { IsoDate } from '@sparechange/domain';
import type { Db, Pool } from '#db/connect.ts';
import { countClubFigures } from '#features/clubs/club-figures.ts';
import { closeDays } from '#features/ledger/booking-day.ts';

/**
 * Closes the days up to that one and rolls up what cleared, and what was taken back, for each club on each of them:
 * two entries a club and day, however many supporters it has. A day is closed once, so it is rolled up once, and booked
 * once in the platform's own ledger.
 */
export function closeAndRollUp(pool: Pool, until: IsoDate): Promise<void> {
  return pool.begin(async (tx) => {
    const closedBefore = (await closeDays(tx, until)) ?? null;
    if (closedBefore !== null && closedBefore >= until) return;
    await rollUp(tx, closedBefore, until);
    await tx`select close_platform_days(${closedBefore}::date, ${until}::date)`;
    await countClubFigures(tx);
  });
}

function rollUp(tx: Db, after: IsoDate | null, until: IsoDate) {
  return tx`
    with day as (
      select club_id, booked_on, -sum(cents)::bigint as cents from ledger_entries
      where account = 'club_payable' and booked_on <= ${until} and (${after}::date is null or booked_on > ${after}::date)
      group by club_id, booked_on having sum(cents) <> 0
    )
    insert into club_entries (club_id, kind, source, account, cents, booked_on)
    select club_id, 'collected', booked_on::text, leg.account, day.cents * leg.sign, booked_on
    from day cross join (values ('collected'::club_account, 1), ('payable', -1)) as leg (account, sign)`;
}
