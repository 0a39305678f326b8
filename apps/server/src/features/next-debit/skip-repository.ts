import type { IsoDate } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';

/** Says whether it is new. */
export async function saveSkip(db: Db, supporterId: string, run: IsoDate, at: Date): Promise<boolean> {
  const saved = await db`
    insert into debit_skips (supporter_id, run_date, skipped_at) values (${supporterId}, ${run}, ${at})
    on conflict do nothing`;
  return saved.count === 1;
}

/** Says whether there was one. */
export async function deleteSkip(db: Db, supporterId: string, run: IsoDate): Promise<boolean> {
  const deleted = await db`delete from debit_skips where supporter_id = ${supporterId} and run_date = ${run}`;
  return deleted.count === 1;
}
