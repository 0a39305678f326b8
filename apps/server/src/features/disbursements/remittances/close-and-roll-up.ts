import { addDays, type IsoDate, sydneyTime } from '@sparechange/domain';
import type { Db, Pool } from '#db/connect.ts';
import { inEachBucket } from '#db/in-each-bucket.ts';
import {
  countSupportersOfClubs,
  publishClubFigures,
  saveClubSupporters,
} from '#features/beneficiaries/clubs/club-figures.ts';
import { closeDays, type DaysToRollUp, findDaysToRollUp, markRolledUp } from '#features/core/ledger/booking-day.ts';
import { missingReceivablesAt } from '#features/core/ledger/club-payables.ts';
import { type DaySum, movedByPayouts, sumDays } from '#features/core/ledger/day-sums.ts';

/**
 * Closes the days up to that one and rolls up cleared and reversed amounts for each club and day: two entries per club
 * and day, regardless of its supporters. After an interruption it starts again with the rest; if another process has
 * already rolled up some of the days, it continues with the others. Events that it records are of `now`.
 */
export async function closeAndRollUp(
  pool: Pool,
  until: IsoDate,
  now: Date = sydneyTime(addDays(until, 1), '00:00'),
): Promise<void> {
  await closeDays(pool, until);
  for (let days = await findDaysToRollUp(pool); days; days = await findDaysToRollUp(pool))
    await rollUp(pool, days, now);
}

/** Closed days get no further entry, so the buckets are summed one after another, and the sums booked once. */
async function rollUp(pool: Pool, days: DaysToRollUp, now: Date): Promise<void> {
  const sums = await inEachBucket(pool, (bucket) => sumDays(bucket, days.after, days.until));
  const supporters = await inEachBucket(pool, countSupportersOfClubs);
  await pool.begin(async (tx) => {
    if (!(await markRolledUp(tx, days))) return;
    await bookForClubs(tx, sums.flat());
    await bookForPlatform(tx, days, sums.flat());
    await saveClubSupporters(tx, supporters.flat());
    await publishClubFigures(tx, supporters.flat(), days.until, now);
  });
}

const recordset = (tx: Db, sums: DaySum[]) =>
  tx`jsonb_to_recordset(${tx.json(sums)}) as sum (day date, account platform_account, club uuid, cents bigint)`;

/** A day that a version without `rolled_up_until` rolled up occurs again after an update, and is not booked twice. */
function bookForClubs(tx: Db, sums: DaySum[]) {
  return tx`
    with collected as (
      select club, day, -sum(cents)::bigint as cents from ${recordset(tx, sums)}
      where club is not null group by club, day having sum(cents) <> 0
    )
    insert into club_entries (club_id, kind, source, account, cents, booked_on)
    select club, 'collected', day::text, leg.account, cents * leg.sign, day
    from collected cross join (values ('collected'::club_account, 1), ('payable', -1)) as leg (account, sign)
    on conflict do nothing`;
}

async function bookForPlatform(tx: Db, { after, until }: DaysToRollUp, sums: DaySum[]): Promise<void> {
  await tx`
    insert into platform_entries (kind, source, account, cents, booked_on)
    select 'day_closed', day::text, account, sum(cents)::bigint, day from (
      select day, account, cents from ${recordset(tx, sums)}
      union all ${movedByPayouts(tx)} and booked_on > coalesce(${after}::date, '-infinity') and booked_on <= ${until}
    ) as moved group by day, account having sum(cents) <> 0
    on conflict do nothing`;
  await tx`
    with change as materialized (select club_id, cents from (${missingReceivablesAt(tx, until)}) missing where cents <> 0)
    insert into platform_entries (kind, source, account, club_id, cents, booked_on)
    select 'club_overpaid'::platform_transfer_kind, ${until}, 'receivable_from_club'::platform_account, club_id, cents, ${until}::date
    from change
    union all
    select 'club_overpaid', ${until}, 'owed_to_clubs', '00000000-0000-0000-0000-000000000000', -sum(cents)::bigint, ${until}::date
    from change having sum(cents) <> 0`;
}
