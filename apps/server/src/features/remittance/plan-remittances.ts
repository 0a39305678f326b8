import { addDays, type IsoDate } from '@sparechange/domain';
import type { Db, Pool } from '#db/connect.ts';
import type { Clock } from '#ports/clock.ts';
import { today } from '#ports/clock.ts';

export type KeptReason = 'no bank details' | 'waits for other bank details' | 'more was taken back than cleared';

/** What stays in a club's balance, and why. */
export interface Kept {
  clubId: string;
  club: string;
  cents: number;
  reason: KeptReason;
}

/**
 * Plans one remittance a club for what cleared up to the day before and was not yet paid, less what was taken back.
 * Planning again adds nothing: a remittance names the days it covers, and none is covered twice (docs/decisions/0013).
 */
export function planRemittances(pool: Pool, clock: Clock, date: IsoDate): Promise<Kept[]> {
  return pool.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtext('sparechange.plan remittances'))`;
    return insertRemittances(tx, date, clock.now(), today(clock));
  });
}

function insertRemittances(tx: Db, date: IsoDate, now: Date, bookedOn: IsoDate) {
  const until = addDays(date, -1);
  return tx<Kept[]>`
    with covered as (
      select club_id, max(last_day) as until from remittances where last_day is not null group by club_id
    ), waiting as (
      select entry.club_id, sum(entry.cents)::bigint as cents, min(entry.booked_on) as first_day
      from club_entries entry left join covered using (club_id)
      where entry.kind = 'collected' and entry.account = 'collected' and entry.booked_on <= ${until}
        and entry.booked_on > coalesce(covered.until, '-infinity')
      group by entry.club_id
    ), failed as (
      select club_id, sum(amount_cents)::bigint as cents from remittances
      where state in ('returned', 'reversed', 'refused') and repeated_by is null group by club_id
    ), due as (
      select club_id, coalesce(waiting.cents, 0) + coalesce(failed.cents, 0) as cents, coalesce(failed.cents, 0) as repeats,
        waiting.first_day
      from waiting full join failed using (club_id)
    ), judged as (
      select due.*, club.name, uuidv7() as id,
        (select count(*) + 1 from remittances today where today.club_id = due.club_id and today.run_date = ${date}) as attempt,
        case
          when due.cents < 0 then 'more was taken back than cleared'
          when club.bsb_sealed is null or club.account_number_sealed is null then 'no bank details'
          when exists (select from remittances lost where lost.club_id = due.club_id
            and lost.state in ('returned', 'reversed', 'refused') and lost.repeated_by is null
            and lost.account_number_sealed = club.account_number_sealed) then 'waits for other bank details'
        end as reason
      from due join clubs club on club.id = due.club_id where due.cents <> 0
    ), planned as (
      insert into remittances (id, club_id, run_date, attempt, amount_cents, first_day, last_day, repeats_cents, reference, planned_at)
      select id, club_id, ${date}, attempt, cents, first_day, case when first_day is not null then ${until}::date end,
        repeats, payout_reference('CL', id), ${now}
      from judged where reason is null
      returning id, club_id, amount_cents, repeats_cents
    ), repeated as (
      update remittances again set repeated_by = planned.id from planned
      where again.club_id = planned.club_id and planned.repeats_cents > 0
        and again.state in ('returned', 'reversed', 'refused') and again.repeated_by is null
    ), posted as (
      insert into club_entries (club_id, kind, source, account, cents, booked_on)
      select club_id, 'planned', id::text, leg.account, amount_cents * leg.sign, ${bookedOn}
      from planned cross join (values ('payable'::club_account, 1), ('in_transit', -1)) as leg (account, sign)
    )
    select club_id as "clubId", name as club, cents, reason from judged where reason is not null order by name`;
}
