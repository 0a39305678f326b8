import { addDays, alarmAboveOfDay, type Cents, formatCents, isoDate, longDay } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import { type AlarmDeps, raiseAlarm } from '#features/core/alarms/alarms.ts';
import { today } from '#ports/clock.ts';

/**
 * Raises an alarm if a day's corrections and write-offs, each small enough for one person, reach a large total, and
 * again each time it doubles (docs/rules.md#corrections-and-reserves-of-clubs). Bookings approved by two people are not
 * counted.
 */
export async function watchBookingsByHand(deps: AlarmDeps): Promise<void> {
  const since = addDays(today(deps.clock), -1); // a booking goes to the first open day
  const days = await deps.db<{ day: string; bookings: number; clubs: number; cents: Cents }[]>`
    select booked_on::text as day, count(*)::int as bookings, sum(cents)::bigint as cents, (
        select count(distinct club_id)::int from club_entries
        where kind = 'corrected' and account = 'adjusted' and booked_on = entry.booked_on) as clubs
    from platform_entries entry
    where kind = 'correction' and booked_on >= ${since} and cents > 0 and not exists (
      select from approvals where state = 'done' and act in ('ledger_correction', 'write_off')
        and arguments ->> 'id' = entry.source)
    group by booked_on having sum(cents) > ${alarmAboveOfDay} order by booked_on`;
  for (const { day, bookings, clubs, cents } of days) {
    const doublings = Math.floor(Math.log2(cents / alarmAboveOfDay));
    const sentence = `${formatCents(cents)} were booked by hand for ${longDay(isoDate(day))} without a second person, in ${counted(bookings, 'correction')} of ${counted(clubs, 'club')}: each is within what one person may book, but together they are unusual. The audit log says who booked them.`;
    const see = { page: 'Reconciliation' as const, command: 'ledger show' };
    await raiseAlarm(deps, { name: 'bookings_by_hand', about: `${day} ${doublings}`, sentence, see });
  }
}
