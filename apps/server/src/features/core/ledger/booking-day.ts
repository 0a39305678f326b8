import { addDays, type IsoDate } from '@sparechange/domain';
import type { Db, Pool } from '#db/connect.ts';
import { type Clock, today } from '#ports/clock.ts';

/** Lock shared by bookings for clubs, exclusive for closing days. */
const closingDays = 'sparechange.close days';

/**
 * Returns the day to book a club's entry on: today, or the first open day if today is closed. No day is closed until
 * the transaction ends, so a closed day never receives another entry.
 */
export async function bookingDay(tx: Db, clock: Clock): Promise<IsoDate> {
  await tx`select pg_advisory_xact_lock_shared(hashtext(${closingDays}))`;
  const closed = await findClosedUntil(tx);
  const day = today(clock);
  return closed && closed >= day ? addDays(closed, 1) : day;
}

/** Returns the last closed day. */
export async function findClosedUntil(db: Db): Promise<IsoDate | undefined> {
  const [row] = await db<{ closedUntil: IsoDate | null }[]>`select closed_until as "closedUntil" from closed_days`;
  return row?.closedUntil ?? undefined;
}

/** Closes every day up to and including that one, once bookings under way have finished. */
export async function closeDays(pool: Pool, until: IsoDate): Promise<void> {
  await pool.inControl().begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtext(${closingDays}))`;
    await tx`
      insert into closed_days as days (closed_until) values (${until})
      on conflict (singleton) do update set closed_until = excluded.closed_until 
      where days.closed_until is null or days.closed_until < excluded.closed_until`;
  });
}

/** Lists days closed and not yet rolled up, after one (from the first if null) and up to another. */
export interface DaysToRollUp {
  after: IsoDate | null;
  until: IsoDate;
}

export async function findDaysToRollUp(db: Db): Promise<DaysToRollUp | undefined> {
  const [days] = await db<DaysToRollUp[]>`
    select rolled_up_until as after, closed_until as until from closed_days
    where rolled_up_until is distinct from closed_until`;
  return days;
}

/** Returns the last day in clubs' and the platform's books. */
export async function findRolledUpUntil(db: Db): Promise<IsoDate | null> {
  const [days] = await db<{ until: IsoDate | null }[]>`select rolled_up_until as until from closed_days`;
  return days?.until ?? null;
}

/** Marks days as rolled up; returns false if another process has already done so. */
export async function markRolledUp(tx: Db, { after, until }: DaysToRollUp): Promise<boolean> {
  const marked = await tx`
    update closed_days set rolled_up_until = ${until} where rolled_up_until is not distinct from ${after}::date`;
  return marked.count === 1;
}
