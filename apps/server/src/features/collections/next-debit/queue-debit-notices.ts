import { addDays, type IsoDate, sydneyTime, weekStart } from '@sparechange/domain';
import { debitRunTime, isDebitDay } from '@sparechange/domain/banking-calendar';
import type { Db, Pool } from '#db/connect.ts';
import { inEachBucket } from '#db/in-each-bucket.ts';
import { readTogether } from '#db/read-together.ts';
import { type Campaigns, runningCampaigns } from '#features/beneficiaries/clubs/campaigns.ts';
import { debitCandidates } from '#features/collections/debits/debit-candidates.ts';
import { mayGo } from '#features/collections/debits/debit-repository.ts';
import { campaignHasEnded } from '#features/collections/debits/drop-after-campaign-end.ts';
import { listHeldRuns } from '#features/collections/debits/release-runs.ts';
import { findSuspension } from '#features/collections/debits/suspended-runs.ts';
import type { MailFacts } from '#features/correspondence/emails/mail-facts.ts';
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

/**
 * Condition on `supporter` and `due.cents`: one of the first three debits, or more than twice the average of the last
 * eight.
 */
const isUnusual = (db: Db) => db`(
  select count(*) < 3 or due.cents > 2 * avg(last.amount_cents) from (
    select amount_cents from debits debit where debit.supporter_id = supporter.supporter_id and ${taken(db)}
    order by run_date desc limit 8) as last)`;

/** Condition on `supporter`: they have not chosen a frequency, and no debit was taken yet. */
const awaitsFirstDebit = (db: Db) => db`(debit_notices_by_worth
  and not exists (select from debits debit where debit.supporter_id = supporter.supporter_id and ${taken(db)}))`;

/** A coming run, with the facts that determine its debits. */
interface ComingRun {
  run: IsoDate;
  running: Campaigns;
  /** Earlier runs that wait for an operator, and go with no other. */
  heldRuns: IsoDate[];
}

async function findComing({ db, tenants }: NoticeDeps, run: IsoDate): Promise<ComingRun> {
  return { run, running: await runningCampaigns(db, tenants, run), heldRuns: await listHeldRuns(db.inControl(), run) };
}

/**
 * Starts a statement: `due` has everybody who would be debited by a run, with all it would submit: its own plan, by the
 * query that plans it, and unsubmitted debits planned by earlier runs.
 */
const dueFor = (db: Db, { run, running, heldRuns }: ComingRun) => db`
  with ${debitCandidates(db, run, running)}, part as (
    select supporter_id, cents, debit_reference(supporter_id, ${run}::date) as reference, ${run}::date as run_date
    from candidates where reason is null
    union all
    select supporter_id, amount_cents, reference, run_date from debits waiting join supporters supporter using (supporter_id)
    where waiting.state = 'planned' and waiting.kind = 'round-up' and waiting.run_date <> all(${heldRuns}::date[])
      and ${mayGo(db, sydneyTime(run, debitRunTime), running.suspendedTenants)} and not ${campaignHasEnded(db, running)}
  ), due as (
    select supporter_id, sum(cents)::bigint as cents, array_agg(reference order by run_date) as "references" from part group by 1
  )`;

/** Selects those who want an email before this debit. */
const mailed = (db: Db) => db`
  from due join supporters supporter using (supporter_id) where debit_notices_enabled and (debit_notice_frequency = 'each_debit'
    or ${awaitsFirstDebit(db)} or (debit_notice_frequency = 'unusual' and ${isUnusual(db)}))`;

/**
 * Queues an email for everybody due one before a run, with the amount so far; each once per run, in one statement per
 * bucket.
 */
export async function queueDebitNotices(
  deps: NoticeDeps & { clock: Clock },
  run: IsoDate,
): Promise<{ queued: number }> {
  if (await findSuspension(deps.db.inControl())) return { queued: 0 }; // nothing is debited until an operator resumes
  const now = deps.clock.now();
  const coming = await findComing(deps, run);
  const isFirstOfWeek = summarisedFrom(run) !== undefined;
  const queued = await inEachBucket(deps.db, async (bucket) => [
    isFirstOfWeek ? await decideByWorth(bucket, weekStart(run)) : 0,
    await queueNotices(bucket, now, coming),
    await queueSummaries(bucket, now, coming),
  ]);
  return { queued: queued.flat().reduce((sum, count) => sum + count, 0) };
}

/** Weeks averaged for a usual week. */
const weeksOfWorth = 4;

/** Usual week from which each debit is announced; below it the week is. */
const worthEachCents = 500;

/**
 * Decides before a week's first run how often supporters without a choice are emailed: by the average of their last
 * whole weeks since onboarding (docs/rules.md#notice-before-a-debit). Returns 0, as it queues no email.
 */
async function decideByWorth(bucket: Db, monday: IsoDate): Promise<0> {
  await bucket`
    with worth as (
      select supporter_id, case when weeks > 0 and ${worthEachCents} * weeks <= (
          select coalesce(sum(counted_cents), 0) from round_ups where round_ups.supporter_id = whole.supporter_id
            and posted_on >= ${monday}::date - 7 * weeks and posted_on < ${monday})
        then 'each_debit' else 'weekly' end::debit_notice_frequency as frequency
      from (
        select supporter_id, least(${weeksOfWorth}::integer,
          (${monday}::date - date_trunc('week', onboarded_on + 6)::date) / 7) as weeks
        from supporters where debit_notices_by_worth and onboarded_on is not null and closed_on is null
      ) as whole
    )
    update supporters set debit_notice_frequency = worth.frequency from worth
    where supporters.supporter_id = worth.supporter_id and debit_notice_frequency <> worth.frequency`;
  return 0;
}

async function queueNotices(bucket: Db, now: Date, coming: ComingRun): Promise<number> {
  const { run } = coming;
  const queued = await bucket`
    ${dueFor(bucket, coming)}
    insert into mails (recipient, supporter_id, key, facts, queued_at, due_at)
    select 'supporter', supporter_id, ${`${notice} ${run}`}, jsonb_build_object('kind', ${notice}::text, 'run', ${run}::text,
      'amountCents', cents, 'reference', "references"[1], 'furtherReferences', "references"[2:],
      'isUnusual', debit_notice_frequency = 'unusual'), ${now}, ${now} ${mailed(bucket)}
    on conflict do nothing returning id`;
  return queued.length;
}

/** Returns the first day of the debits in a summary before this run; undefined unless the run is its week's first. */
function summarisedFrom(run: IsoDate): IsoDate | undefined {
  let last = addDays(run, -1);
  while (!isDebitDay(last)) last = addDays(last, -1);
  return weekStart(last) < weekStart(run) ? weekStart(last) : undefined;
}

/**
 * Queues a summary for supporters who want one a week: debits since the last one, and the next debit. Supporters
 * without a choice whose first debit in that week was announced get the summary a week later, covering both weeks.
 */
async function queueSummaries(db: Db, now: Date, coming: ComingRun): Promise<number> {
  const { run } = coming;
  const from = summarisedFrom(run);
  if (!from) return 0;
  const queued = await db`
    ${dueFor(db, coming)}, wanting as (
      select supporter_id, case when debit_notices_by_worth then (select min(run_date) from debits debit
        where debit.supporter_id = supporter.supporter_id and ${taken(db)}) end as first_run
      from supporters supporter
      where debit_notices_enabled and debit_notice_frequency = 'weekly' and closed_on is null and not ${awaitsFirstDebit(db)}
    )
    insert into mails (recipient, supporter_id, key, facts, queued_at, due_at)
    select 'supporter', wanting.supporter_id, ${`${summary} ${run}`}, jsonb_build_object('kind', ${summary}::text,
      'from', past.since, 'run', ${run}::text, 'debits', past.debits, 'debitedCents', past.cents,
      'nextCents', coalesce(next.cents, 0)), ${now}, ${now}
    from wanting
    left join due next on next.supporter_id = wanting.supporter_id
    cross join lateral (
      select since, count(debit.id)::int as debits, coalesce(sum(amount_cents), 0)::bigint as cents
      from (select case when first_run >= ${from}::date - 7 then first_run else ${from}::date end as since) as period
      left join debits debit on debit.supporter_id = wanting.supporter_id and ${taken(db)}
        and run_date >= since and run_date < ${run}
      group by since
    ) as past
    where (first_run is null or first_run < ${from}) and (past.debits > 0 or next.cents > 0)
    on conflict do nothing returning id`;
  return queued.length;
}

/** Makes a reader of whether a supporter is still due an email before a run; those asked about together are read together. */
export function noticeReader(deps: NoticeDeps): (supporterId: string, run: IsoDate) => Promise<boolean> {
  const find = readTogether(
    ({ bucket, run }: RunInBucket) => `${bucket.scope.path} ${run}`,
    (asked, supporterIds: string[]) => findNotices(deps, asked, supporterIds),
  );
  return async (supporterId, run) => (await find({ bucket: deps.db.of(supporterId), run }, supporterId)) === true;
}

interface RunInBucket {
  bucket: Db;
  run: IsoDate;
}

/**
 * Finds who of these supporters of a bucket is still due an email before a run. Each is looked up alone within the
 * statement: the planner narrows every table of the plan to one supporter, which it does not for a list.
 */
async function findNotices(
  deps: NoticeDeps,
  { bucket, run }: RunInBucket,
  supporterIds: string[],
): Promise<Map<string, true>> {
  if (await findSuspension(deps.db.inControl())) return new Map();
  const coming = await findComing(deps, run);
  const due = await bucket<{ id: string }[]>`
    select id from unnest(${supporterIds}::uuid[]) as asked (id)
    where exists (${dueFor(bucket, coming)} select ${mailed(bucket)} and supporter_id = asked.id)`;
  return new Map(due.map(({ id }) => [id, true]));
}
