import { appendToAuditLog } from '#audit/audit-log.ts';
import type { Db } from '#db/connect.ts';
import { isInEffect, isUsable } from '#features/core/debiting/conditions.ts';
import { lockAgainstPlanning } from '#features/core/ledger/planning-lock.ts';
import { mailRefusedDonation } from '#features/correspondence/emails/queue-debit-emails.ts';
import { queueEmail } from '#features/correspondence/emails/queue-email.ts';
import { type Clock, today } from '#ports/clock.ts';
import { type PlannedDebit, refusePlanned } from './refuse-planned.ts';

interface Mandate {
  supporterId: string;
  id: string;
}

/**
 * Records that a mandate was cancelled at the bank or the provider. Its account is unusable until the supporter chooses
 * one again, of which they are emailed once, and nothing more is debited under it. Returns false if that was known.
 * Takes the planners' lock, so it comes first in a transaction that also locks debits.
 */
export async function recordCancelledMandate(
  tx: Db,
  clock: Clock,
  { supporterId, id }: Mandate,
  learnedFrom: 'refusal' | 'notification' | 'poll',
): Promise<boolean> {
  await lockAgainstPlanning(tx);
  const at = clock.now();
  const [cancelled] = await tx<{ accountId: string }[]>`
    update mandates set cancelled_at = ${at}
    where supporter_id = ${supporterId} and id = ${id} and cancelled_at is null
    returning account_id as "accountId"`;
  if (!cancelled) return false;
  await refuseUnsubmitted(tx, clock, { supporterId, id });
  const details = { mandate: id, learnedFrom };
  await appendToAuditLog(tx, { supporterId, at, actor: 'direct debit', action: 'mandate cancelled', details });
  if (await markUnusable(tx, clock, supporterId, cancelled.accountId)) {
    const facts = { kind: 'mandate_cancelled' } as const;
    await queueEmail(tx, { supporterId, key: `mandate cancelled ${id}`, facts, at });
  }
  return true;
}

/** Marks the account unusable, unless another mandate is in effect for it or it is no longer debited anyway. */
async function markUnusable(tx: Db, clock: Clock, supporterId: string, accountId: string): Promise<boolean> {
  const marked = await tx`
    update accounts set unusable_since = ${today(clock)}, unusable_because = 'mandate_cancelled'
    where supporter_id = ${supporterId} and id = ${accountId} and is_funding and ${isUsable(tx)}
      and not exists (select from mandates other where other.supporter_id = accounts.supporter_id
        and other.account_id = accounts.id and ${isInEffect(tx, 'other')})
      and exists (select from supporters where supporters.supporter_id = accounts.supporter_id and closed_on is null)`;
  return marked.count === 1;
}

/** Refuses planned debits: their round-ups go with the first debit under another mandate; a donor is emailed. */
async function refuseUnsubmitted(tx: Db, clock: Clock, { supporterId, id }: Mandate): Promise<void> {
  const planned = await tx<PlannedDebit[]>`
    select supporter_id as "supporterId", id, club_id as "clubId", kind, amount_cents as amount, savings_cents as savings
    from debits where supporter_id = ${supporterId} and mandate_id = ${id} and state = 'planned' for update`;
  for (const debit of planned) {
    const isRefused = await refusePlanned(tx, clock, debit, 'the mandate was cancelled');
    if (isRefused && debit.kind === 'donation') await mailRefusedDonation(tx, clock.now(), debit);
  }
}
