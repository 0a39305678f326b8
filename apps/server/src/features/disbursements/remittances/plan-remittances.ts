import { addDays, type Cents, type IsoDate } from '@sparechange/domain';
import type { Db, Pool } from '#db/connect.ts';
import { applyDueChanges, endLapsedChanges } from '#features/beneficiaries/bank-details/change-bank-details.ts';
import type { Clock } from '#ports/clock.ts';
import { today } from '#ports/clock.ts';
import { hasNewDetails } from './failed-remittances.ts';

export type KeptReason =
  | 'no bank details'
  | 'waits for other bank details'
  | 'will be retried'
  | 'is held back as a reserve'
  | 'is covered by the reserve'
  | 'more was taken back than cleared';

/** Amounts that stay in a club's balance, with reasons. */
export interface Kept {
  clubId: string;
  club: string;
  cents: Cents;
  reason: KeptReason;
  /** Banking day from which a failed payment is retried. */
  retryOn?: IsoDate;
}

/**
 * Plans each club's payment of amounts cleared up to the day before and not yet paid, less reversals. A due failed
 * payment is retried separately from new money, so that neither holds up the other; wrong bank details hold back both.
 * A club's reserve is filled before anything new is paid, and used up before more is reversed than cleared. Planning
 * again adds nothing: a remittance names the days it covers, and none is covered twice
 * (docs/decisions/paying-clubs.md#remittances).
 */
export async function planRemittances(pool: Pool, clock: Clock, date: IsoDate): Promise<Kept[]> {
  return pool.begin(async (tx) => {
    await lockRemittancePlan(tx);
    await applyDueChanges(tx, clock, date);
    await endLapsedChanges(tx, clock);
    const kept = await insertRemittances(tx, date, clock.now(), today(clock));
    return kept.map(({ retryOn, ...each }) => (retryOn === null ? each : { ...each, retryOn }));
  });
}

/** Blocks remittance plans and club corrections until the transaction ends. */
export async function lockRemittancePlan(tx: Db): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtext('sparechange.plan remittances'))`;
}

function insertRemittances(tx: Db, date: IsoDate, now: Date, bookedOn: IsoDate) {
  const until = addDays(date, -1);
  return tx<(Omit<Kept, 'retryOn'> & { retryOn: IsoDate | null })[]>`
    with covered as (
      select club_id, max(last_day) as until from remittances where last_day is not null group by club_id
    ), waiting as (
      select entry.club_id, sum(entry.cents)::bigint as cents, min(entry.booked_on) as first_day
      from club_entries entry left join covered using (club_id)
      where entry.account in ('collected', 'adjusted') and entry.booked_on <= ${until}
        and entry.booked_on > coalesce(covered.until, '-infinity')
      group by entry.club_id
    ), failed as (
      select lost.id, lost.club_id, lost.amount_cents as cents, lost.failures, lost.retry_on,
        ${hasNewDetails(tx)} as has_new_details
      from remittances lost join clubs club on club.id = lost.club_id
      where lost.state in ('returned', 'reversed', 'refused') and lost.retried_by is null
    ), ready as (
      select * from failed where has_new_details or retry_on <= ${date}
    ), failed_sum as (
      select club_id, bool_or(retry_on is null and not has_new_details) as is_held, bool_or(has_new_details) as has_new_details,
        sum(cents)::bigint as cents, coalesce(max(failures) filter (where not has_new_details), 0) as failures,
        coalesce(sum(cents) filter (where id in (select id from ready)), 0)::bigint as ready_cents,
        min(retry_on) filter (where id not in (select id from ready)) as retry_on
      from failed group by club_id
    ), reserve as (
      select club.id as club_id, reserve_cents as wanted, coalesce(balance.cents, 0) as held
      from clubs club left join club_balances balance on balance.club_id = club.id and balance.account = 'reserved'
    ), new as (
      select club_id, coalesce(waiting.cents, 0) as waiting_cents, waiting.first_day, wanted, held, case
          when coalesce(waiting.cents, 0) + held > wanted then 'pays'
          when coalesce(waiting.cents, 0) + held >= 0 then 'waits'
          else 'uses all'
        end as reserve_then
      from reserve left join waiting using (club_id) where waiting.cents is not null or held > wanted
    ), after_reserve as (
      select club_id, case reserve_then when 'waits' then null else first_day end as first_day,
        case reserve_then when 'pays' then waiting_cents + held - wanted when 'waits' then 0 else waiting_cents + held end as cents,
        case reserve_then when 'pays' then wanted - held when 'waits' then 0 else -held end as held_back,
        case reserve_then when 'waits' then waiting_cents else 0 end as waits
      from new
    ), due as (
      select club_id, coalesce(fresh.cents, 0) as new_cents, fresh.first_day, coalesce(fresh.held_back, 0) as held_back,
        coalesce(fresh.waits, 0) as waits, coalesce(failed_sum.is_held, false) as is_held,
        coalesce(failed_sum.has_new_details, false) as has_new_details, coalesce(failed_sum.cents, 0) as failed_cents,
        coalesce(failed_sum.ready_cents, 0) as ready_cents, coalesce(failed_sum.failures, 0) as failures, failed_sum.retry_on
      from after_reserve fresh full join failed_sum using (club_id)
    ), part as (
      select club_id, new_cents + failed_cents as cents, 0 as retried, first_day, held_back, 'held' as kind from due where is_held
      union all select club_id, new_cents + ready_cents, ready_cents, first_day, held_back, 'whole' from due
        where not is_held and (has_new_details or new_cents <= 0 or ready_cents = 0)
      union all select club_id, new_cents, 0, first_day, held_back, 'new' from due
        where not is_held and not has_new_details and new_cents > 0 and ready_cents > 0
      union all select club_id, ready_cents, ready_cents, null, 0, 'again' from due
        where not is_held and not has_new_details and new_cents > 0 and ready_cents > 0
      union all select club_id, failed_cents - ready_cents, 0, null, 0, 'later' from due where not is_held
      union all select club_id, waits, 0, null, 0, 'reserve' from due
    ), decided as (
      select part.*, club.name, uuidv7() as id, due.failures,
        case when part.kind = 'later' then due.retry_on end as retry_on,
        (select coalesce(max(attempt), 0) from remittances today where today.club_id = part.club_id and today.run_date = ${date})
          + row_number() over (partition by part.club_id order by part.retried, part.kind) as attempt,
        case
          when part.kind = 'reserve' and part.cents < 0 then 'is covered by the reserve'
          when part.kind = 'reserve' then 'is held back as a reserve'
          when part.cents < 0 then 'more was taken back than cleared'
          when club.bsb_encrypted is null or club.account_number_encrypted is null then 'no bank details'
          when part.kind = 'held' then 'waits for other bank details'
          when part.kind = 'later' then 'will be retried'
        end as reason
      from part join due using (club_id) join clubs club on club.id = part.club_id where part.cents <> 0
    ), planned as (
      insert into remittances (id, club_id, run_date, attempt, amount_cents, first_day, last_day, retried_cents,
        held_back_cents, failures, reference, planned_at)
      select id, club_id, ${date}, attempt, cents, first_day, case when first_day is not null then ${until}::date end,
        retried, held_back, case when retried > 0 then failures else 0 end, payout_reference('CL', id), ${now}
      from decided where reason is null
      returning id, club_id, amount_cents, retried_cents, held_back_cents
    ), marked as (
      update remittances again set retried_by = planned.id from planned join ready using (club_id)
      where again.id = ready.id and planned.retried_cents > 0 and again.retried_by is null
    ), posted as (
      insert into club_entries (club_id, kind, source, account, cents, booked_on)
      select club_id, 'planned'::club_transfer_kind, id::text, leg.account, amount_cents * leg.sign, ${bookedOn}::date
      from planned cross join (values ('payable'::club_account, 1), ('in_transit', -1)) as leg (account, sign)
      union all
      select club_id, 'reserved', id::text, leg.account, held_back_cents * leg.sign, ${bookedOn}::date
      from planned cross join (values ('payable'::club_account, 1), ('reserved', -1)) as leg (account, sign)
      where held_back_cents <> 0
    )
    select club_id as "clubId", name as club, cents, reason, retry_on as "retryOn" from decided
    where reason is not null order by name, reason`;
}
