import { type Cents, type IsoDate, noCents, type SkipReason, subtract } from '@sparechange/domain';
import { anomaliesOf, type RunTotal } from '@sparechange/domain/run-anomaly';
import type { Db, Pool } from '#db/connect.ts';
import { type Campaigns, runningCampaigns } from '#features/clubs/campaigns.ts';
import type { Clock } from '#ports/clock.ts';
import type { Tenants } from '#tenants/load-tenants.ts';
import { debitCandidates } from './debit-candidates.ts';
import { dropOfEnded, ofEnded } from './drop-of-ended.ts';
import { listPastRuns, RunAnomaly } from './run-anomalies.ts';
import { refuseWhileSuspended } from './suspended-runs.ts';

export interface Plan {
  date: IsoDate;
  planned: number;
  totalCents: Cents;
  skipped: Partial<Record<SkipReason, number>>;
}

/**
 * Plans one debit per supporter for everything counted and not yet debited (docs/rules.md#one-debit-a-run). Planning a day again adds
 * only those who could not be planned before. Planners take turns, whatever day they plan, because two days planned at
 * once would both collect what an earlier debit failed to; and a supporter has one round-up debit a day. A run that is
 * unusual throws RunAnomaly and plans nobody, unless an operator confirms it, or has: their word holds for all of that run.
 */
export async function planDebits(
  pool: Pool,
  clock: Clock,
  tenants: Tenants,
  date: IsoDate,
  isConfirmed = false,
): Promise<Plan> {
  return pool.begin(async (tx) => {
    await takeTurn(tx);
    await tx`
      insert into debit_runs as run (run_date, confirmed_at) values (${date}, ${isConfirmed ? clock.now() : null})
      on conflict (run_date) do update set confirmed_at = coalesce(run.confirmed_at, excluded.confirmed_at)`;
    await refuseWhileSuspended(tx);
    const { asked, askedBefore, ...plan } = await planWithin(tx, clock, tenants, date);
    const anomalies = anomaliesOf(askedBefore, await listPastRuns(tx, date));
    if (anomalies.length > 0 && !(await wasConfirmed(tx, date))) throw new RunAnomaly(date, asked, anomalies);
    return plan;
  });
}

async function wasConfirmed(db: Db, date: IsoDate): Promise<boolean> {
  const [confirmed] = await db`select 1 from debit_runs where run_date = ${date} and confirmed_at is not null`;
  return confirmed !== undefined;
}

/** Makes plans take turns, in memory instead of on disk. */
export async function takeTurn(tx: Db): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtext('sparechange.plan debits'))`;
  await tx`set local work_mem = '256MB'`;
}

export interface WholePlan extends Plan {
  /** The whole run's total, including the day's earlier plans. */
  asked: RunTotal;
  /** Its total without first debits. */
  askedBefore: RunTotal;
}

/** Plans within the caller's transaction, to commit or roll back. */
export async function planWithin(tx: Db, clock: Clock, tenants: Tenants, date: IsoDate): Promise<WholePlan> {
  const now = clock.now();
  const running = await runningCampaigns(tx, tenants, date);
  await refuseOfEnded(tx, now, running);
  const outcome = await insertDebits(tx, date, now, running);
  await dropOfEnded(tx, now, running);
  const {
    count = 0,
    cents = noCents,
    firstCount = 0,
    firstCents = noCents,
  } = outcome.find((row) => row.reason === null) ?? {};
  const [run] = await tx<RunTotal[]>`
    update debit_runs set planned_at = coalesce(planned_at, ${now}), debits = debits + ${count}, cents = cents + ${cents}
    where run_date = ${date} returning debits, cents`;
  const asked = run ?? { debits: count, cents };
  const askedBefore = { debits: asked.debits - firstCount, cents: subtract(asked.cents, firstCents) };
  const skipped = Object.fromEntries(outcome.flatMap((row) => (row.reason === null ? [] : [[row.reason, row.count]])));
  return { date, planned: count, totalCents: cents, skipped, asked, askedBefore };
}

/**
 * Refuses debits planned while a campaign ran and never submitted: from its end nobody of it is debited
 * (docs/rules.md#end-of-a-campaign).
 */
async function refuseOfEnded(tx: Db, now: Date, running: Campaigns): Promise<void> {
  await tx`
    update debits waiting set state = 'refused', refusal = 'the campaign has ended', outcome_at = ${now}
    from supporters supporter
    where waiting.state = 'planned' and waiting.kind = 'round-up' and supporter.supporter_id = waiting.supporter_id
      and ${ofEnded(tx, running)}`;
}

interface Outcome {
  reason: SkipReason | null;
  count: number;
  cents: Cents;
  /** First debits for round-ups among them. */
  firstCount: number;
  firstCents: Cents;
}

/**
 * One statement for everybody: who has something waiting, why some are left out, and a debit for each of the rest.
 * A debit's re-presented amount, and the refunds it is less by, are marked in the same statement, and so seen at the same moment
 * as they were added up: a return that comes in meanwhile is left for the next run. Where refunds come to as much as
 * there is, nothing is debited and all of it waits. What waits is looked up for each supporter above the last covered
 * round-up, from indexes alone, so that the work grows with what waits and not with history (docs/performance.md).
 */
function insertDebits(tx: Db, date: IsoDate, now: Date, running: Campaigns) {
  return tx<Outcome[]>`
    with ${debitCandidates(tx, date, running)}, planned as (
      insert into debits (supporter_id, id, run_date, kind, attempt, club_id, amount_cents, savings_cents, first_seq, last_seq,
        represented_cents, refunds_cents, mandate_id, reference, planned_at)
      select supporter_id, id, ${date}, 'round-up', attempt, club_id, cents, savings, first_seq, last_seq, represented, refunds,
        mandate_id, debit_reference(supporter_id, ${date}::date), ${now}
      from (select candidates.*, uuidv7() as id from candidates where reason is null) chosen
      returning supporter_id, id, club_id, represented_cents, refunds_cents
    ), cut as (
      select supporter_id, represented_run, represented_id from candidates where represented_run is not null and reason is null
    ), marked as (
      update debits again set represented_by = planned.id from planned
      where again.supporter_id = planned.supporter_id and planned.represented_cents > 0
        and again.kind = 'round-up' and again.state in ('returned', 'refused', 'deferred') and again.represented_by is null
        and again.dropped_on is null
        and not exists (select from cut where cut.supporter_id = again.supporter_id
          and (again.run_date, again.id) > (cut.represented_run, cut.represented_id))
    ), taken_off as (
      update purchase_refunds refund set taken_off_by = planned.id from planned
      where refund.supporter_id = planned.supporter_id and planned.refunds_cents > 0
        and refund.taken_off_by is null and refund.cents > 0
    ), posted as (
      insert into ledger_entries (supporter_id, kind, source, account, cents, club_id, booked_on)
      select supporter_id, 'refunded', id, leg.account, refunds_cents * leg.sign, club_id,
        (${now}::timestamptz at time zone 'Australia/Sydney')::date
      from planned cross join (values ('promised'::ledger_account, 1), ('pledged', -1)) as leg (account, sign)
      where refunds_cents > 0
    )
    select reason, count(*) as count, sum(cents)::bigint as cents, count(*) filter (where is_first) as "firstCount",
      coalesce(sum(cents) filter (where is_first), 0)::bigint as "firstCents"
    from candidates group by reason`;
}
