import { add, type Cents, formatCents, type IsoDate, noCents, subtract, total } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import type { Db } from '#db/connect.ts';
import { inEachBucket } from '#db/in-each-bucket.ts';
import { listOpenDays } from '#features/core/ledger/day-sums.ts';

/** A club paid more than donations less claims and refunds. */
export interface ClubReceivable {
  clubId: string;
  club: string;
  cents: Cents;
}

/**
 * Lists clubs' debts, or one club's, beyond the reserve held back from them, largest first: money claimed back by banks
 * or refunded to supporters after it had been remitted. The club's next donations pay it. Open days are included.
 */
export async function listClubReceivables(db: Db, clubId: string | null = null): Promise<ClubReceivable[]> {
  const clubs = await db<(ClubReceivable & { after: IsoDate | null })[]>`
    select club.id as "clubId", name as club, coalesce(-sum(balance.cents), 0)::bigint as cents,
      (select rolled_up_until from closed_days) as after
    from clubs club left join club_balances balance on club_id = club.id and account in ('payable', 'reserved')
    where ${clubId}::uuid is null or club.id = ${clubId} group by club.id`;
  const open = new Map<string, Cents>();
  const openDays = await inEachBucket(db, (each) => listOpenDays(each, clubs[0]?.after ?? null, clubId));
  for (const { club, cents } of openDays.flat()) open.set(club, add(open.get(club) ?? noCents, cents));
  return clubs
    .map(({ clubId, club, cents }) => ({ clubId, club, cents: subtract(cents, open.get(clubId) ?? noCents) }))
    .filter(({ cents }) => cents > 0)
    .sort((one, other) => other.cents - one.cents || (one.clubId < other.clubId ? -1 : 1));
}

/** Returns clubs' debts, for operators who miss money. */
export function receivableLines(receivables: readonly ClubReceivable[]): string[] {
  const receivable = total(receivables.map(({ cents }) => cents));
  if (receivable === 0) return [];
  const listed = receivables
    .slice(0, 20)
    .map((each) => `  ${formatCents(each.cents).padStart(16)}  ${each.club} (${each.clubId})`);
  const more = receivables.length > 20 ? [`  and ${receivables.length - 20} more clubs`] : [];
  return [
    `clubs owe ${formatCents(receivable)} (${counted(receivables.length, 'club')}): debits reversed or refunded after they had been remitted`,
    ...listed,
    ...more,
  ];
}
