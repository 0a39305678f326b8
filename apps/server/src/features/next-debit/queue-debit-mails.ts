import { type IsoDate, recentDays } from '@sparechange/domain';
import type { Pool } from '#db/connect.ts';
import { judgedGivers } from '#features/debits/who-is-debited.ts';
import type { MailFacts } from '#features/mail/mail-facts.ts';
import { hasEnded, type Tenants } from '#features/tenants/load-tenants.ts';
import type { Clock } from '#ports/clock.ts';

const kind: MailFacts['kind'] = 'next debit';

/**
 * Queues a mail for everybody whom a run would debit as things stand, or if the night brings something, with the amount
 * so far (`toldBefore`); each once a run. One statement for all of them, by the very query that plans the run.
 */
export async function queueDebitMails(
  { db, clock, tenants }: { db: Pool; clock: Clock; tenants: Tenants },
  run: IsoDate,
): Promise<{ queued: number }> {
  const now = clock.now();
  const running = tenants.list().filter((tenant) => !hasEnded(tenant, run));
  const hasBoughtLately = db`exists (select from round_ups lately where lately.supporter_id = giver.supporter_id
    and lately.posted_on >= ${run}::date - ${recentDays}::int and lately.counted_cents > 0)`;
  const queued = await db`
    with ${judgedGivers(db, run, running, hasBoughtLately)}
    insert into mails (supporter_id, key, facts, queued_at, due_at)
    select supporter_id, ${`${kind} ${run}`}, jsonb_build_object('kind', ${kind}::text, 'run', ${run}::text,
      'amountCents', greatest(0, cents), 'reference', debit_reference(supporter_id, ${run}::date)), ${now}, ${now}
    from judged join supporters giver using (supporter_id) where giver.debit_mails
      and (reason is null or (reason = 'below minimum' and ${hasBoughtLately}))
    on conflict do nothing`;
  return { queued: queued.count };
}
