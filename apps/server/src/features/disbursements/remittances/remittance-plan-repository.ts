import type { Cents, IsoDate } from '@sparechange/domain';
import type { PlannedRemittance, UnpaidRemittance } from '@sparechange/domain/remittance-plan';
import type { Db } from '#db/connect.ts';
import { hasNewDetails, isUnpaid } from './failed-remittances.ts';

export interface ClubToPay {
  id: string;
  name: string;
  hasBankDetails: boolean;
  /** Amount in its reserve, and the maximum. */
  heldCents: Cents;
  reserveCents: Cents;
  /** Remittances that it already has of the day. */
  attempts: number;
}

/** Lists clubs by name, starting after one of them. */
export const listClubs = (
  tx: Db,
  date: IsoDate,
  after: Pick<ClubToPay, 'name' | 'id'>,
  limit: number,
): Promise<ClubToPay[]> => tx<ClubToPay[]>`
  select club.id, club.name, club.reserve_cents as "reserveCents", coalesce(balance.cents, 0) as "heldCents",
    club.bsb_encrypted is not null and club.account_number_encrypted is not null as "hasBankDetails",
    (select coalesce(max(attempt), 0) from remittances today where today.club_id = club.id and run_date = ${date}) as attempts
  from clubs club left join club_balances balance on balance.club_id = club.id and balance.account = 'reserved'
  where (club.name, club.id) > (${after.name}, ${after.id}) order by club.name, club.id limit ${limit}`;

export interface ClearedMoney {
  clubId: string;
  cents: Cents;
  firstDay: IsoDate;
}

/**
 * Sums, for each club, what cleared or was corrected up to a day, on days that no remittance covers. The last covered day
 * is looked up for each club in an index, so that the remittances of all years are not read.
 */
export const listCleared = (tx: Db, clubs: string[], until: IsoDate): Promise<ClearedMoney[]> => tx<ClearedMoney[]>`
  with covered as (
    select club.id as club_id, latest.last_day as until
    from unnest(${clubs}::uuid[]) as club (id) left join lateral (
      select last_day from remittances where club_id = club.id and last_day is not null order by last_day desc limit 1
    ) as latest on true
  )
  select entry.club_id as "clubId", sum(entry.cents)::bigint as cents, min(entry.booked_on) as "firstDay"
  from covered join club_entries entry using (club_id)
  where entry.account in ('collected', 'adjusted')
    and entry.booked_on <= ${until} and entry.booked_on > coalesce(covered.until, '-infinity')
  group by entry.club_id`;

export interface UnpaidOfClub extends UnpaidRemittance {
  clubId: string;
}

/** Lists clubs' failed remittances that were not paid again. */
export const listUnpaid = (db: Db, clubs: string[]): Promise<UnpaidOfClub[]> => db<UnpaidOfClub[]>`
  select lost.club_id as "clubId", lost.id, lost.amount_cents as cents, lost.failures, lost.retry_on as "retryOn",
    ${hasNewDetails(db)} as "hasNewDetails"
  from remittances lost join clubs club on club.id = lost.club_id
  where lost.club_id = any(${clubs}::uuid[]) and ${isUnpaid(db)} order by lost.id`;

export interface RemittanceOfClub extends PlannedRemittance {
  clubId: string;
  attempt: number;
}

/** Day of a plan, the last one whose money it pays, and when it is made. */
export interface PlanDay {
  date: IsoDate;
  until: IsoDate;
  now: Date;
  bookedOn: IsoDate;
}

/**
 * Inserts remittances, marks the failed ones that they pay again, and books both in the clubs' ledgers. A day that is
 * covered already is refused by `remittances_cover_once`; a failed remittance that was paid again since it was read is
 * an error, so that the transaction is rolled back.
 */
export async function insertRemittances(
  tx: Db,
  remittances: RemittanceOfClub[],
  { date, until, now, bookedOn }: PlanDay,
): Promise<void> {
  if (remittances.length === 0) return;
  const [marked] = await tx<{ count: number }[]>`
    with plan as (
      select uuidv7() as id, each.* from jsonb_to_recordset(${tx.json(remittances)}) as each ("clubId" uuid, attempt integer,
        cents bigint, "firstDay" date, "heldBack" bigint, "retriedCents" bigint, retried uuid[], failures smallint)
    ), planned as (
      insert into remittances (id, club_id, run_date, attempt, amount_cents, first_day, last_day, retried_cents,
        held_back_cents, failures, reference, planned_at)
      select id, "clubId", ${date}, attempt, cents, "firstDay", case when "firstDay" is not null then ${until}::date end,
        "retriedCents", "heldBack", failures, payout_reference('CL', id), ${now}
      from plan
    ), marked as (
      update remittances again set retried_by = plan.id from plan
      where again.id = any(plan.retried) and again.club_id = plan."clubId" and ${isUnpaid(tx)}
      returning again.id
    ), posted as (
      insert into club_entries (club_id, kind, source, account, cents, booked_on)
      select "clubId", 'planned'::club_transfer_kind, id::text, leg.account, cents * leg.sign, ${bookedOn}::date
      from plan cross join (values ('payable'::club_account, 1), ('in_transit', -1)) as leg (account, sign)
      union all
      select "clubId", 'reserved', id::text, leg.account, "heldBack" * leg.sign, ${bookedOn}::date
      from plan cross join (values ('payable'::club_account, 1), ('reserved', -1)) as leg (account, sign)
      where "heldBack" <> 0
    )
    select count(*)::int as count from marked`;
  const retried = remittances.flatMap((each) => each.retried).length;
  if (marked?.count !== retried) throw new Error(`Of ${retried} failed remittances ${marked?.count} are still unpaid.`);
}
