import { appendToAuditLog } from '#audit/audit-log.ts';
import type { Pool } from '#db/connect.ts';
import { Conflict, NotFound } from '#errors.ts';
import { type PlannedDebit, refusePlanned } from '#features/collections/debits/refuse-planned.ts';
import type { Clock } from '#ports/clock.ts';

const undone = 'undone by the supporter';

/**
 * Undoes a one-off donation that is not submitted yet (docs/rules.md#one-off-donation): it is refused without being
 * submitted. Repeating it changes nothing. Throws Conflict once it may have been submitted.
 */
export async function undoDonation(pool: Pool, clock: Clock, supporterId: string, requestId: string): Promise<void> {
  const at = clock.now();
  await pool.begin(async (tx) => {
    const [gift] = await tx<(PlannedDebit & { refusal: string | null })[]>`
      select supporter_id as "supporterId", id, club_id as "clubId", amount_cents as amount, savings_cents as savings, kind,
        refusal
      from debits where supporter_id = ${supporterId} and kind = 'donation' and request_id = ${requestId} for update`;
    if (!gift) throw new NotFound('The donation');
    if (gift.refusal === undone) return;
    if (!(await refusePlanned(tx, clock, gift, undone))) throw new Conflict('The donation can no longer be undone.');
    const details = { debit: gift.id };
    await appendToAuditLog(tx, { supporterId, at, actor: 'supporter', action: 'donation undone', details });
  });
}
