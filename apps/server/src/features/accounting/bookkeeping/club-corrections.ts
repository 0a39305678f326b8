import { type Cents, type IsoDate, noCents } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import { payablesAt } from '#features/core/ledger/club-payables.ts';
import { payableCents } from '#features/disbursements/remittances/statement-repository.ts';
import { isUuid } from '#uuid.ts';
import { listClubReceivables } from './club-receivables.ts';

export interface ClubToCorrect {
  id: string;
  name: string;
}

export async function findClubToCorrect(db: Db, id: string): Promise<ClubToCorrect | undefined> {
  if (!isUuid(id)) return undefined;
  const [club] = await db<ClubToCorrect[]>`select id, name from clubs where id = ${id}`;
  return club;
}

/** Books a correction in the club's own ledger: more cents for the club, or fewer when below zero. */
export async function postToClub(
  tx: Db,
  clubId: string,
  { id, cents, day }: { id: string; cents: Cents; day: IsoDate },
): Promise<void> {
  await tx`
    insert into club_entries (club_id, kind, source, account, cents, booked_on)
    values (${clubId}, 'corrected', ${id}, 'adjusted', ${cents}, ${day}), (${clubId}, 'corrected', ${id}, 'payable', ${-cents}, ${day})`;
}

/**
 * Returns the most that corrections may take from a club: the least of the amount payable to it by its own ledger now
 * and at the last close, and of the same with later clearings and reversals, which `whole` reads.
 */
export async function getMaxTaken(tx: Db, whole: Db, clubId: string): Promise<Cents> {
  const withOpenDays = await payableCents(whole, clubId);
  const [most] = await tx<{ cents: Cents }[]>`
    select greatest(0, least(${withOpenDays},
      coalesce((select cents from club_balances where club_id = ${clubId} and account = 'payable'), 0),
      coalesce((select at_close.cents from closed_days
        cross join lateral (${payablesAt(tx, tx`rolled_up_until`)}) at_close where club_id = ${clubId}), 0)
    ))::bigint as cents`;
  return most?.cents ?? noCents;
}

/** Returns a club's debt, open days included. */
export async function getReceivable(db: Db, clubId: string): Promise<Cents> {
  const [receivable] = await listClubReceivables(db, clubId);
  return receivable?.cents ?? noCents;
}
