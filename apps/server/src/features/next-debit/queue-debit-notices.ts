import type { IsoDate } from '@sparechange/domain';
import type { Pool } from '#db/connect.ts';
import { runningCampaigns } from '#features/clubs/campaigns.ts';
import { debitCandidates } from '#features/debits/debit-candidates.ts';
import type { MailFacts } from '#features/emails/mail-facts.ts';
import type { Clock } from '#ports/clock.ts';
import type { Tenants } from '#tenants/load-tenants.ts';

const kind: MailFacts['kind'] = 'debit_notice';

/**
 * Queues a mail for everybody whom a run would debit as things stand, with the amount so far; each once a run. One statement for all of them, by the very query that plans the run.
 */
export async function queueDebitNotices(
  { db, clock, tenants }: { db: Pool; clock: Clock; tenants: Tenants },
  run: IsoDate,
): Promise<{ queued: number }> {
  const now = clock.now();
  const running = await runningCampaigns(db, tenants, run);
  const queued = await db`
    with ${debitCandidates(db, run, running)}
    insert into mails (recipient, supporter_id, key, facts, queued_at, due_at)
    select 'supporter', supporter_id, ${`${kind} ${run}`}, jsonb_build_object('kind', ${kind}::text, 'run', ${run}::text,
      'amountCents', cents, 'reference', debit_reference(supporter_id, ${run}::date)), ${now}, ${now}
    from candidates join supporters supporter using (supporter_id) where supporter.debit_notices_enabled and reason is null
    on conflict do nothing`;
  return { queued: queued.count };
}
