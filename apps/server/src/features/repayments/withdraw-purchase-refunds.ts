import type { Db } from '#db/connect.ts';
import { lockAgainstPlanning } from '#features/ledger/planning-lock.ts';

/**
 * Withdraws the refunds that wait to be taken off a debit and whose purchases were in one that went back to its payer as a
 * whole: nothing was given of them.
 */
export async function withdrawPurchaseRefunds(
  tx: Db,
  { supporterId, id }: { supporterId: string; id: string },
): Promise<void> {
  const waiting = await tx<{ seq: number }[]>`
    with recursive made_of as (
      select debit.id, debit.first_seq, debit.last_seq from debits debit
      where debit.supporter_id = ${supporterId} and debit.id = ${id}
      union all
      select earlier.id, earlier.first_seq, earlier.last_seq
      from made_of join debits earlier on earlier.supporter_id = ${supporterId} and earlier.represented_by = made_of.id
    )
    select round_up_seq as seq from made_of join purchase_refunds refund on refund.supporter_id = ${supporterId}
      and taken_off_by is null and round_up_seq between first_seq and last_seq`;
  if (waiting.length === 0) return;
  await lockAgainstPlanning(tx); // a plan takes off what it has added up
  await tx`
    delete from purchase_refunds
    where supporter_id = ${supporterId} and round_up_seq = any(${waiting.map(({ seq }) => seq)}) and taken_off_by is null`;
}
