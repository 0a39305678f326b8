import { type Cents, type DeferralReason, maxDeferrals } from '@sparechange/domain';
import type { Db, Pool } from '#db/connect.ts';
import { isUncollected } from '#features/core/debiting/conditions.ts';
import { lockAgainstPlanning } from '#features/core/ledger/planning-lock.ts';
import { legsOf, postTransfer } from '#features/core/ledger/post.ts';
import { withdrawPurchaseRefunds } from '#features/supporters/purchase-refunds/withdraw-purchase-refunds.ts';
import { type Clock, today } from '#ports/clock.ts';

interface DebitId {
  supporterId: string;
  id: string;
}

/**
 * Defers a planned debit to the next run, and drops parts deferred `maxDeferrals` times. Amounts that it would have
 * re-presented are released, so that each part is collected and counted separately. Returns false if the debit is no
 * longer planned.
 */
export async function deferDebit(pool: Pool, clock: Clock, debit: DebitId, because: DeferralReason): Promise<boolean> {
  return pool.begin(async (tx) => {
    await lockAgainstPlanning(tx); // parts come and go between plans only
    if (!(await markDeferred(tx, clock, debit, because))) return false;
    const parts = [debit.id, ...(await releaseRepresented(tx, debit))];
    for (const part of await dropOverdue(tx, clock, debit.supporterId, parts)) {
      const transfer = { supporterId: debit.supporterId, source: part.id, clubId: part.clubId, bookedOn: today(clock) };
      await postTransfer(tx, { ...transfer, kind: 'dropped', legs: legsOf.dropped(part.own) });
    }
    await withdrawPurchaseRefunds(tx, [debit.supporterId]);
    return true;
  });
}

/**
 * Sets the debit's state to deferred. If refunds exceed its own round-ups, it cannot be split: it keeps the debits it
 * re-presents, and the deferrals of its oldest part count for all.
 */
async function markDeferred(
  tx: Db,
  clock: Clock,
  { supporterId, id }: DebitId,
  because: DeferralReason,
): Promise<boolean> {
  const moved = await tx`
    update debits waiting set state = 'deferred', deferred_because = ${because}, outcome_at = ${clock.now()},
      released_cents = case when amount_cents >= represented_cents then represented_cents else 0 end,
      deferrals = 1 + case when amount_cents >= represented_cents then 0 else (
        select coalesce(max(part.deferrals), 0) from debits part where part.supporter_id = waiting.supporter_id and part.represented_by = waiting.id) end
    where supporter_id = ${supporterId} and id = ${id} and state = 'planned' and kind = 'round-up'`;
  return moved.count === 1;
}

async function releaseRepresented(tx: Db, { supporterId, id }: DebitId): Promise<string[]> {
  const released = await tx<{ id: string }[]>`
    update debits part set represented_by = null, deferrals = part.deferrals + 1 from debits waiting
    where waiting.supporter_id = ${supporterId} and waiting.id = ${id} and waiting.released_cents > 0
      and part.supporter_id = waiting.supporter_id and part.represented_by = waiting.id
    returning part.id`;
  return released.map((part) => part.id);
}

function dropOverdue(tx: Db, clock: Clock, supporterId: string, parts: string[]) {
  return tx<{ id: string; clubId: string; own: Cents }[]>`
    update debits set dropped_on = ${today(clock)}
    where supporter_id = ${supporterId} and id = any(${parts}) and deferrals >= ${maxDeferrals} and ${isUncollected(tx)}
    returning id, club_id as "clubId", amount_cents - released_cents as own`;
}
