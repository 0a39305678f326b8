import { add, type Cents, type IsoDate, noCents } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import { refuseAbove } from './people-needed.ts';

interface Booking {
  day: IsoDate;
  amount: Cents;
  /** Club whose balance is corrected; bookings without a club share one daily sum. */
  clubId?: string | undefined;
}

/**
 * Throws NeedsSecondPerson if a manual booking would bring its day's total above `limit`
 * (docs/decisions/approvals.md#small-amounts). Others wait until the transaction ends.
 */
export async function refuseAboveOfDay(tx: Db, limit: Cents | undefined, { day, amount, clubId }: Booking) {
  await tx`select pg_advisory_xact_lock(hashtext('sparechange.bookings by hand'))`;
  refuseAbove(limit, add(amount, await (clubId ? sumOfClub(tx, day, clubId) : sumWithoutClub(tx, day))));
}

/** Sums a club's corrections of a day, in either direction. */
async function sumOfClub(tx: Db, day: IsoDate, clubId: string): Promise<Cents> {
  const [sum] = await tx<{ cents: Cents }[]>`
    select coalesce(sum(abs(cents)), 0)::bigint as cents from club_entries
    where club_id = ${clubId} and kind = 'corrected' and account = 'adjusted' and booked_on = ${day}`;
  return sum?.cents ?? noCents;
}

/** Sums a day's corrections without a club and its manually matched bank lines. */
async function sumWithoutClub(tx: Db, day: IsoDate): Promise<Cents> {
  const [sum] = await tx<{ cents: Cents }[]>`
    select coalesce(sum(cents), 0)::bigint as cents from (
      select cents from platform_entries entry
      where kind = 'correction' and booked_on = ${day} and cents > 0 and not exists (
        select from platform_entries other
        where other.kind = 'correction' and other.source = entry.source and other.account = 'owed_to_clubs')
      union all
      select entry.cents from bank_statement_lines line
      join platform_entries entry on entry.kind = 'statement_line_matched' and entry.source = coalesce(booked_as, line.account || ' ' || line_id)
      where matched_kind = 'by_hand' and entry.booked_on = ${day} and entry.cents > 0
    ) booked`;
  return sum?.cents ?? noCents;
}
