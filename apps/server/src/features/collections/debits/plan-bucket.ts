import type { IsoDate, SkipReason } from '@sparechange/domain';
import type { RunTotal } from '@sparechange/domain/run-anomaly';
import type { Db } from '#db/connect.ts';
import type { Campaigns } from '#features/beneficiaries/clubs/campaigns.ts';
import { isToBeRepresented } from '#features/core/debiting/conditions.ts';
import { lockAgainstPlanning } from '#features/core/ledger/planning-lock.ts';
import { debitCandidates } from './debit-candidates.ts';
import { campaignHasEnded, dropAfterCampaignEnd } from './drop-after-campaign-end.ts';

export interface RunToPlan {
  date: IsoDate;
  now: Date;
  running: Campaigns;
}

/** Debits of a run, with first debits counted separately. */
export interface RunPart extends RunTotal {
  isFirst: boolean;
}

export interface BucketPlan {
  /** The debits planned now. */
  added: RunPart[];
  skipped: [SkipReason, number][];
  /** All debits of the run in the bucket, planned now or before. */
  part: RunPart[];
}

interface Candidates extends RunPart {
  /** Null for debited supporters. */
  reason: SkipReason | null;
}

const planOf = (planned: RunPart[], candidates: Candidates[]): BucketPlan => {
  const added = candidates.filter(({ reason }) => reason === null);
  const skipped = candidates.flatMap(({ reason, debits }): [SkipReason, number][] =>
    reason === null ? [] : [[reason, debits]],
  );
  return { added, skipped, part: [...planned, ...added] };
};

/** Sorts in memory instead of on disk. */
const sortInMemory = (tx: Db) => tx`set local work_mem = '256MB'`;

/** Returns a run in a bucket as it would be planned now, within the caller's transaction. */
export async function countBucket(tx: Db, { date, running }: RunToPlan): Promise<BucketPlan> {
  await sortInMemory(tx);
  const planned = await countPlanned(tx, date);
  return planOf(planned, await tx<Candidates[]>`with ${debitCandidates(tx, date, running)} ${countCandidates(tx)}`);
}

/** Plans a run in a bucket within the caller's transaction. Planners of a bucket take turns. */
export async function planBucket(tx: Db, run: RunToPlan): Promise<BucketPlan> {
  await lockAgainstPlanning(tx);
  await sortInMemory(tx);
  const planned = await countPlanned(tx, run.date);
  await refuseAfterCampaignEnd(tx, run);
  const candidates = await insertDebits(tx, run);
  await dropAfterCampaignEnd(tx, run.now, run.running);
  return planOf(planned, candidates);
}

/** Counts the debits of a run planned before. */
export const countPlanned = (db: Db, date: IsoDate) => db<RunPart[]>`
  select not exists (select from debits before where before.supporter_id = debit.supporter_id
      and before.last_seq is not null and before.run_date < debit.run_date) as "isFirst",
    count(*) as debits, sum(amount_cents)::bigint as cents
  from debits debit where run_date = ${date} and kind = 'round-up' group by 1`;

const countCandidates = (db: Db) => db`
  select reason, is_first as "isFirst", count(*) as debits, sum(cents)::bigint as cents
  from candidates group by reason, is_first`;

/**
 * Refuses debits planned during a campaign and never submitted: from its end nobody of it is debited
 * (docs/rules.md#end-of-a-campaign).
 */
async function refuseAfterCampaignEnd(tx: Db, { now, running }: RunToPlan): Promise<void> {
  await tx`
    update debits waiting set state = 'refused', refusal = 'the campaign has ended', outcome_at = ${now}
    from supporters supporter
    where waiting.state = 'planned' and waiting.kind = 'round-up' and supporter.supporter_id = waiting.supporter_id
      and ${campaignHasEnded(tx, running)}`;
}

/**
 * Plans everybody in one statement: the supporters with amounts waiting, why some are left out, and a debit for each of
 * the others. A debit's re-presented amount, and the refunds deducted from it, are marked in the same statement, and so
 * seen at the moment they are totalled: a return booked during planning is left for the next run. If refunds equal or
 * exceed the amount, nothing is debited and all of it waits. Waiting amounts are looked up for each supporter above the
 * last covered round-up, from indexes alone, so that the work grows with them and not with history
 * (docs/performance.md).
 */
function insertDebits(tx: Db, { date, now, running }: RunToPlan) {
  return tx<Candidates[]>`
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
        and ${isToBeRepresented(tx, 'again')}
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
    ${countCandidates(tx)}`;
}
