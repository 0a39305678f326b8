import type { IsoDate } from '@sparechange/domain';
import type { Db, Pool } from '#db/connect.ts';
import { type Campaigns, runningCampaigns } from '#features/clubs/campaigns.ts';
import { debitCandidates } from '#features/debits/debit-candidates.ts';
import type { MailFacts } from '#features/emails/mail-facts.ts';
import type { Clock } from '#ports/clock.ts';
import type { Tenants } from '#tenants/load-tenants.ts';

const kind: MailFacts['kind'] = 'debit_notice';

interface NoticeDeps {
  db: Pool;
  tenants: Tenants;
}

/** Begins a statement: `due` has everybody who wants a mail before a run and would be debited, by the query that plans it. */
const dueFor = (db: Db, run: IsoDate, running: Campaigns) => db`
  with ${debitCandidates(db, run, running)}, due as (
    select supporter_id, cents from candidates join supporters supporter using (supporter_id)
    where supporter.debit_notices_enabled and reason is null
  )`;

/** Queues a mail for everybody who is due one before a run, with the amount so far; each once a run, in one statement. */
export async function queueDebitNotices(
  { db, clock, tenants }: NoticeDeps & { clock: Clock },
  run: IsoDate,
): Promise<{ queued: number }> {
  const now = clock.now();
  const queued = await db`
    ${dueFor(db, run, await runningCampaigns(db, tenants, run))}
    insert into mails (recipient, supporter_id, key, facts, queued_at, due_at)
    select 'supporter', supporter_id, ${`${kind} ${run}`}, jsonb_build_object('kind', ${kind}::text, 'run', ${run}::text,
      'amountCents', cents, 'reference', debit_reference(supporter_id, ${run}::date)), ${now}, ${now} from due
    on conflict do nothing`;
  return { queued: queued.count };
}

/** Returns whether a supporter is still due a mail before a run. */
export async function isNoticeDue({ db, tenants }: NoticeDeps, supporterId: string, run: IsoDate): Promise<boolean> {
  const running = await runningCampaigns(db, tenants, run);
  const found = await db`${dueFor(db, run, running)} select from due where supporter_id = ${supporterId}`;
  return found.length > 0;
}
