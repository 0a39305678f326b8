import { addDays, type IsoDate } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import { type Clock, today } from '#ports/clock.ts';

/** Lock shared by bookings for clubs, exclusive for closing days. */
const closingDays = 'sparechange.close days';

/**
 * The day to book something for a club on: today, or the first open day when today is closed already. Until the
 * transaction ends no day is closed, so that a closed day never gets another entry.
 */
export async function bookingDay(tx: Db, clock: Clock): Promise<IsoDate> {
  await tx`select pg_advisory_xact_lock_shared(hashtext(${closingDays}))`;
  const closed = await findClosedUntil(tx);
  const day = today(clock);
  return closed && closed >= day ? addDays(closed, 1) : day;
}

/** The last day that is closed. */
export async function findClosedUntil(db: Db): Promise<IsoDate | undefined> {
  const [row] = await db<{ closedUntil: IsoDate | null }[]>`select closed_until as "closedUntil" from closed_days`;
  return row?.closedUntil ?? undefined;
}

/** Closes every day up to that one, after whoever is booking has finished. Answers until when days had been closed. */
export async function closeDays(tx: Db, until: IsoDate): Promise<IsoDate | undefined> {
  await tx`select pg_advisory_xact_lock(hashtext(${closingDays}))`;
  const before = await findClosedUntil(tx);
  if (before && before >= until) return before;
  await tx`
    insert into closed_days (closed_until) values (${until})
    on conflict (singleton) do update set closed_until = excluded.closed_until`;
  return before;
}
