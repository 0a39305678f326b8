import { type Cents, type IsoDate, noCents } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';

/** A correction of a club's balance by an operator. */
export interface ClubCorrection {
  date: IsoDate;
  id: string;
  /** More for the club, or less. */
  cents: Cents;
  reason: string | null;
  /** True if these remittances include it; otherwise a later one. */
  isRemitted: boolean;
}

const paidInMonth = (db: Db, clubId: string, from: IsoDate, until: IsoDate) => db`
  club_id = ${clubId} and paid_on between ${from} and ${until}
    and state in ('planned', 'submitting', 'submitted', 'cleared')`;

/** Selects remittances and, recursively, the failed ones they pay again. */
const withRetried = (db: Db, which: ReturnType<typeof paidInMonth>) => db`
  select id, first_day, last_day, held_back_cents from remittances where ${which}
  union all
  select failed.id, failed.first_day, failed.last_day, failed.held_back_cents
  from paid join remittances failed on failed.retried_by = paid.id`;

/** Days that a remittance pays. */
export interface PaidDays {
  firstDay: IsoDate;
  lastDay: IsoDate;
}

async function listPaidDays(db: Db, which: ReturnType<typeof paidInMonth>): Promise<PaidDays[]> {
  const days = await db<PaidDays[]>`
    with recursive paid as (${withRetried(db, which)})
    select first_day as "firstDay", last_day as "lastDay" from paid where first_day is not null order by first_day`;
  return [...days];
}

/** Lists the days paid by a month's remittances, including those of failed remittances paid again. */
export const listDaysPaidInMonth = (db: Db, clubId: string, from: IsoDate, until: IsoDate): Promise<PaidDays[]> =>
  listPaidDays(db, paidInMonth(db, clubId, from, until));

/** Lists the days paid by a remittance, including those of failed remittances that it pays again. */
export const listDaysPaidBy = (db: Db, remittanceId: string): Promise<PaidDays[]> =>
  listPaidDays(db, db`id = ${remittanceId}`);

/** Selects a club's gifts of paid days in a bucket. */
export const giftsOfDays = (bucket: Db, clubId: string, paidDays: PaidDays[]) => bucket`
  select entry.* from unnest(${paidDays.map(({ firstDay }) => firstDay)}::date[], ${paidDays.map(({ lastDay }) => lastDay)}::date[])
    as paid (first_day, last_day)
  join gift_entries entry on entry.club_id = ${clubId} and entry.booked_on between paid.first_day and paid.last_day`;

/** Lists corrections paid by a month's remittances, and those booked in it that wait for a later one. */
export async function listCorrections(
  db: Db,
  clubId: string,
  from: IsoDate,
  until: IsoDate,
): Promise<ClubCorrection[]> {
  const corrections = await db<ClubCorrection[]>`
    with recursive paid as (${withRetried(db, paidInMonth(db, clubId, from, until))}), correction as (
      select entry.booked_on as date, entry.source as id, entry.cents, platform.reason,
        exists (select from paid where entry.booked_on between first_day and last_day) as "isRemitted"
      from club_entries entry left join platform_entries platform on platform.kind = 'correction'
        and platform.source = entry.source and platform.account = 'owed_to_clubs'
      where entry.club_id = ${clubId} and entry.kind = 'corrected' and entry.account = 'adjusted'
    )
    select * from correction where "isRemitted" or date between ${from} and ${until} order by date, id`;
  return [...corrections];
}

/** Sums the amounts held back by the remittances of some days; below zero if the reserve paid out. */
export async function heldBackCents(db: Db, clubId: string, from: IsoDate, until: IsoDate): Promise<Cents> {
  const [held] = await db<{ cents: Cents }[]>`
    with recursive paid as (${withRetried(db, paidInMonth(db, clubId, from, until))})
    select coalesce(sum(held_back_cents), 0)::bigint as cents from paid`;
  return held?.cents ?? noCents;
}

export interface ClubReserve {
  /** Amount held back now. */
  reservedCents: Cents;
  /** Maximum to hold back; 0 is off. */
  reserveCents: Cents;
}

export async function findReserve(db: Db, clubId: string): Promise<ClubReserve> {
  const [reserve] = await db<ClubReserve[]>`
    select reserve_cents as "reserveCents", coalesce((
      select cents from club_balances where club_id = clubs.id and account = 'reserved'), 0)::bigint as "reservedCents"
    from clubs where id = ${clubId}`;
  return reserve ?? { reservedCents: noCents, reserveCents: noCents };
}

export interface RemittanceAdjustment {
  day: IsoDate | null;
  kind: 'correction' | 'reserve';
  cents: Cents;
  /** The operator's words; null for a reserve. */
  reason: string | null;
}

/**
 * Lists the parts of a remittance other than donations: corrections, and amounts held back or paid from the reserve.
 */
export async function listAdjustments(db: Db, remittanceId: string): Promise<RemittanceAdjustment[]> {
  const adjustments = await db<RemittanceAdjustment[]>`
    with recursive paid as (${withRetried(db, db`id = ${remittanceId}`)})
    select entry.booked_on as day, 'correction' as kind, entry.cents, platform.reason
    from paid join club_entries entry on entry.account = 'adjusted' and entry.booked_on between paid.first_day and paid.last_day
      left join platform_entries platform on platform.kind = 'correction' and platform.source = entry.source
        and platform.account = 'owed_to_clubs'
    where entry.club_id = (select club_id from remittances where id = ${remittanceId})
    union all
    select null, 'reserve', -sum(held_back_cents)::bigint, null from paid having sum(held_back_cents) <> 0
    order by kind, day`;
  return [...adjustments];
}
