import type { Db } from '#db/connect.ts';
import { legsOf, postTransfer } from '#features/ledger/post.ts';
import { type Clock, today } from '#ports/clock.ts';
import { refusePlannedDebits } from './bank-data-repository.ts';

/**
 * Refuses what was planned and not submitted, and ends the promise of one-off donations. Returns how many there were.
 */
export async function refusePlanned(tx: Db, clock: Clock, supporterId: string, why: string): Promise<number> {
  const refused = await refusePlannedDebits(tx, supporterId, clock.now(), why);
  for (const debit of refused) {
    const { id: source, clubId } = debit;
    const transfer = { supporterId, kind: 'refused', source, clubId, bookedOn: today(clock) } as const;
    await postTransfer(tx, { ...transfer, legs: legsOf.refused(debit) });
  }
  return refused.length;
}
