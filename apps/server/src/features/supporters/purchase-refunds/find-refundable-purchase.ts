import type { Db } from '#db/connect.ts';

/** Finds the bank's id of the newest purchase with spare change that no refund of it has taken back yet. */
export async function findRefundablePurchase(db: Db, supporterId: string): Promise<string | undefined> {
  const [found] = await db<{ transactionId: string }[]>`
    select transaction_id as "transactionId" from round_ups bought
    where supporter_id = ${supporterId} and counted_cents > 0 and not exists (
      select from purchase_refunds back where back.supporter_id = bought.supporter_id and back.round_up_seq = bought.seq)
    order by seq desc limit 1`;
  return found?.transactionId;
}
