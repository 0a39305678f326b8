import type { CorrectableAccount } from '@sparechange/contract/console';
import type { Cents, IsoDate } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';

export interface ListedCorrection {
  id: string;
  bookedOn: IsoDate;
  debit: CorrectableAccount;
  credit: CorrectableAccount;
  cents: Cents;
  reason: string | null;
  clubId: string | null;
  club: string | null;
}

/** Lists corrections, a club's or all, newest first: from the beginning, or after one of them. */
export async function listCorrections(
  db: Db,
  { clubId = null, after, limit }: { clubId?: string | null | undefined; after?: string | undefined; limit: number },
): Promise<ListedCorrection[]> {
  const rows = await db<ListedCorrection[]>`
    select debit.source as id, debit.booked_on as "bookedOn", debit.account as debit, credit.account as credit, debit.cents,
      debit.reason, club.id as "clubId", club.name as club
    from platform_entries debit
      join platform_entries credit on credit.kind = 'correction' and credit.source = debit.source and credit.cents < 0
      left join club_entries entry on entry.kind = 'corrected' and entry.source = debit.source
        and entry.booked_on = debit.booked_on and entry.account = 'adjusted'
      left join clubs club on club.id = entry.club_id
    where debit.kind = 'correction' and debit.cents > 0 and (${clubId}::uuid is null or club.id = ${clubId})
      and (${after ?? null}::text is null or (debit.booked_on, debit.source) < (
        select booked_on, source from platform_entries where kind = 'correction' and source = ${after ?? null} limit 1))
    order by debit.booked_on desc, debit.source desc limit ${limit}`;
  return [...rows];
}
