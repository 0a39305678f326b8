import type { Db } from '#db/connect.ts';
import { legsOf, postTransfer } from '#features/ledger/post.ts';
import { type Clock, today } from '#ports/clock.ts';
import { refusePlannedDebits } from './bank-data-repository.ts';

/**
 * What was planned and not yet submitted never will be. Of a one-off donation nothing is promised any more either.
 * Answers how many there were.
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
