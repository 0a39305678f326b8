import { addDays, type IsoDate, weekStart } from '@sparechange/domain';
import { isDebitDay } from '@sparechange/domain/banking-calendar';
import type { Db, Pool } from '#db/connect.ts';
import { inEachBucket } from '#db/in-each-bucket.ts';
import { type Campaigns, runningCampaigns } from '#features/clubs/campaigns.ts';
import { debitCandidates } from '#features/debits/debit-candidates.ts';
import type { MailFacts } from '#features/emails/mail-facts.ts';
import type { Clock } from '#ports/clock.ts';
import type { Tenants } from '#tenants/load-tenants.ts';

const notice: MailFacts['kind'] = 'debit_notice';
const summary: MailFacts['kind'] = 'debit_summary';

interface NoticeDeps {
  db: Pool;
  tenants: Tenants;
}

/** Debits that were taken or are being taken. */
const taken = (db: Db) => db`debit.kind = 'round-up' and debit.state in ('submitting', 'submitted', 'cleared')`;

/** Condition on `supporter` and `cents`: one of the first three debits, or more than twice the average of the last eight. */
const isUnusual = (db: Db) => db`(
  select count(*) < 3 or cents > 2 * avg(last.amount_cents) from (
    select amount_cents from debits debit where debit.supporter_id = supporter.supporter_id and ${taken(db)}
    order by run_date desc limit 8) as last)`;

/** Begins a statement: `due` has everybody who wants a mail before a run and would be debited, by the query that plans it. */
const dueFor = (db: Db, run: IsoDate, running: Campaigns) => db`
  with ${debitCandidates(db, run, running)}, due as (
    select supporter_id, cents, debit_notice_frequency = 'unusual' as is_unusual
    from candidates join supporters supporter using (supporter_id)
    where supporter.debit_notices_enabled and reason is null and (debit_notice_frequency = 'each_debit'
      or (debit_notice_frequency = 'unusual' and ${isUnusual(db)}))
  )`;

/** Queues a mail for everybody who is due one before a run, with the amount so far; each once a run, in one statement a bucket. */
export async function queueDebitNotices(
  { db, clock, tenants }: NoticeDeps & { clock: Clock },
  run: IsoDate,
): Promise<{ queued: number }> {
  const now = clock.now();
  const running = await runningCampaigns(db, tenants, run);
  const queued = await inEachBucket(db, async (bucket) => [
    await queueNotices(bucket, now, run, running),
    await queueSummaries(bucket, now, run, running),
  ]);
  return { queued: queued.flat().reduce((sum, count) => sum + count, 0) };
}

async function queueNotices(bucket: Db, now: Date, run: IsoDate, running: Campaigns): Promise<number> {
  const queued = await bucket`
    ${dueFor(bucket, run, running)}
    insert into mails (recipient, supporter_id, key, facts, queued_at, due_at)
    select 'supporter', supporter_id, ${`${notice} ${run}`}, jsonb_build_object('kind', ${notice}::text, 'run', ${run}::text,
      'amountCents', cents, 'reference', debit_reference(supporter_id, ${run}::date), 'isUnusual', is_unusual),
      ${now}, ${now} from due
    on conflict do nothing`;
  return queued.count;
}

/** Returns the first day of the debits that a summary before this run is of; undefined unless the run is its week's first. */
function summarisedFrom(run: IsoDate): IsoDate | undefined {
  let last = addDays(run, -1);
  while (!isDebitDay(last)) last = addDays(last, -1);
  return weekStart(last) < weekStart(run) ? weekStart(last) : undefined;
}

/** Queues a summary for those who want one a week: what was debited since the last one, and what comes next. */
async function queueSummaries(db: Db, now: Date, run: IsoDate, running: Campaigns): Promise<number> {
  const from = summarisedFrom(run);
  if (!from) return 0;
  const queued = await db`
    with ${debitCandidates(db, run, running)}
    insert into mails (recipient, supporter_id, key, facts, queued_at, due_at)
    select 'supporter', supporter.supporter_id, ${`${summary} ${run}`}, jsonb_build_object('kind', ${summary}::text,
      'from', ${from}::text, 'run', ${run}::text, 'debits', past.debits, 'debitedCents', past.cents,
      'nextCents', coalesce(next.cents, 0)), ${now}, ${now}
    from supporters supporter
    left join candidates next on next.supporter_id = supporter.supporter_id and next.reason is null
    cross join lateral (
      select count(*)::int as debits, coalesce(sum(amount_cents), 0)::bigint as cents from debits debit
      where debit.supporter_id = supporter.supporter_id and ${taken(db)} and run_date >= ${from} and run_date < ${run}
    ) as past
    where debit_notices_enabled and debit_notice_frequency = 'weekly' and closed_on is null
      and (past.debits > 0 or next.cents > 0)
    on conflict do nothing`;
  return queued.count;
}

/** Returns whether a supporter is still due a mail before a run. */
export async function isNoticeDue({ db, tenants }: NoticeDeps, supporterId: string, run: IsoDate): Promise<boolean> {
  const running = await runningCampaigns(db, tenants, run);
  const bucket = db.of(supporterId);
  const found = await bucket`${dueFor(bucket, run, running)} select from due where supporter_id = ${supporterId}`;
  return found.length > 0;
}
