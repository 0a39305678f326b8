import { appendToAuditLog } from '#audit/audit-log.ts';
import type { Pool } from '#db/connect.ts';
import { Conflict, NotFound } from '#errors.ts';
import { type Debit, moveDebit } from '#features/debits/debit-repository.ts';
import { legsOf, postTransfer } from '#features/ledger/post.ts';
import { type Clock, today } from '#ports/clock.ts';

type Gift = Pick<Debit, 'supporterId' | 'id' | 'clubId' | 'amount' | 'savings' | 'kind' | 'state'> & {
  isHeld: boolean;
  refusal: string | null;
};

const undone = 'undone by the supporter';

/**
 * Undoes a one-off donation that is still held (docs/rules.md#one-off-donation): it is refused before it was ever
 * submitted. A second time changes nothing. Throws Conflict once it may be on its way.
 */
export async function undoDonation(pool: Pool, clock: Clock, supporterId: string, requestId: string): Promise<void> {
  const at = clock.now();
  await pool.begin(async (tx) => {
    const [gift] = await tx<Gift[]>`
      select supporter_id as "supporterId", id, club_id as "clubId", amount_cents as amount, savings_cents as savings, kind,
        state, refusal, coalesce(held_until > ${at}, false) as "isHeld"
      from debits where supporter_id = ${supporterId} and kind = 'donation' and request_id = ${requestId} for update`;
    if (!gift) throw new NotFound('The donation');
    if (gift.refusal === undone) return;
    if (!gift.isHeld || !(await moveDebit(tx, gift, ['planned'], 'refused', { at, refusal: undone })))
      throw new Conflict('The donation can no longer be undone.');
    const transfer = { supporterId, source: gift.id, clubId: gift.clubId, bookedOn: today(clock) };
    await postTransfer(tx, { ...transfer, kind: 'refused', legs: legsOf.refused(gift) });
    const details = { debit: gift.id };
    await appendToAuditLog(tx, { supporterId, at, actor: 'supporter', action: 'donation undone', details });
  });
}
