import type { Db } from '#db/connect.ts';

/** A day, or a column that holds one. */
type Day = ReturnType<Db> | string;

/**
 * Selects `club_id` and `cents`: the amount owed to a club at the end of a day, its reserve included, or below zero,
 * the amount it owed. Each statement contains it in full, as Citus plans no SQL function of its tables.
 */
export const payablesAt = (db: Db, day: Day) => db`
  select balance.club_id, (sum(balance.cents) + coalesce((
    select sum(later.cents) from club_entries later
    where later.club_id = balance.club_id and later.account in ('payable', 'reserved') and later.booked_on > ${day}), 0))::bigint as cents
  from club_balances balance where balance.account in ('payable', 'reserved') group by balance.club_id`;

/** Selects by how many cents the platform's receivable from a club falls short of its debt at the end of a day. */
export const missingReceivablesAt = (db: Db, day: Day) => db`
  select payable.club_id, greatest(-payable.cents, 0) - coalesce((
    select booked.cents from platform_balances booked
    where booked.account = 'receivable_from_club' and booked.club_id = payable.club_id), 0) as cents
  from (${payablesAt(db, day)}) payable`;
