import type { IsoDate } from '@sparechange/domain';
import { nextDebitDay } from '@sparechange/domain/banking-calendar';
import type { Db } from '#db/connect.ts';
import { inTurn } from '#db/in-each-bucket.ts';

/** Supporters whose skips a declaration has moved. */
export interface MovedSkips {
  bucket: Db;
  to: IsoDate;
  supporterIds: string[];
}

/**
 * Copies skips of a closed day to the run replacing it; a copy keeps the time of its skip. Supporters who had skipped
 * that run anyway are not in the answer.
 */
export async function moveSkips(bucket: Db, day: IsoDate): Promise<MovedSkips> {
  const to = nextDebitDay(day);
  const moved = await bucket<{ supporterId: string }[]>`
    insert into debit_skips (supporter_id, run_date, skipped_at)
    select supporter_id, ${to}, skipped_at from debit_skips where run_date = ${day}
    on conflict do nothing returning supporter_id as "supporterId"`;
  return { bucket, to, supporterIds: moved.map(({ supporterId }) => supporterId) };
}

/** Undoes the moves of a failed declaration, in every bucket that can be reached. */
export async function takeBackSkips(moved: MovedSkips[]): Promise<void> {
  await inTurn(
    moved,
    ({ bucket, to, supporterIds }) => bucket`
      delete from debit_skips where run_date = ${to} and supporter_id = any(${supporterIds})`,
  );
}

/** Drops skips of a closed day whose supporters no longer skip the run replacing it. */
export async function dropWithdrawnSkips(bucket: Db, day: IsoDate): Promise<void> {
  await bucket`
    delete from debit_skips skip where run_date = ${day} and not exists (
      select from debit_skips moved where moved.supporter_id = skip.supporter_id and moved.run_date = ${nextDebitDay(day)})`;
}

/** Copies skips of the run that replaced a closed day back to that day: some were made while it was closed. */
export async function copySkipsBack(bucket: Db, run: IsoDate, day: IsoDate): Promise<void> {
  await bucket`
    insert into debit_skips (supporter_id, run_date, skipped_at)
    select supporter_id, ${day}, skipped_at from debit_skips where run_date = ${run}
    on conflict (supporter_id, run_date) do update set skipped_at = excluded.skipped_at`;
}

/** Drops the copies of skips of a reopened day, whose own run they skip. */
export async function dropMovedSkips(bucket: Db, day: IsoDate): Promise<void> {
  await bucket`
    delete from debit_skips moved using debit_skips skip
    where skip.supporter_id = moved.supporter_id and skip.run_date = ${day}
      and moved.run_date > ${day} and moved.skipped_at = skip.skipped_at`;
}
