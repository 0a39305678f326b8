import type { IsoDate, SkipReason } from '@sparechange/domain';
import type { RunTotal } from '@sparechange/domain/run-anomaly';
import type { Db } from '#db/connect.ts';
import type { Campaigns } from '#features/beneficiaries/clubs/campaigns.ts';
import { isToBeRepresented } from '#features/core/debiting/conditions.ts';
import { lockAgainstPlanning } from '#features/core/ledger/planning-lock.ts';
import { debitCandidates } from './debit-candidates.ts';
import { campaignHasEnded, dropAfterCampaignEnd } from './drop-after-campaign-end.ts';

/** A run to plan. */
export interface RunToPlan {
  date: IsoDate;
  now: Date;
  running: Campaigns;
}

/** Debits of a run, those of supporters who were never debited before apart from the others. */
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
  /** Null for those who are debited. */
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

/** Returns how a run would be planned in a bucket as things stand, within the caller's transaction. */
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

/** Counts what was planned of a run before. */
export const countPlanned = (db: Db, date: IsoDate) => db<RunPart[]>`
  select not exists (select from debits before where before.supporter_id = debit.supporter_id
      and before.last_seq is not null and before.run_date < debit.run_date) as "isFirst",
    count(*) as debits, sum(amount_cents)::bigint as cents
  from debits debit where run_date = ${date} and kind = 'round-up' group by 1`;

const countCandidates = (db: Db) => db`
  select reason, is_first as "isFirst", count(*) as debits, sum(cents)::bigint as cents
  from candidates group by reason, is_first`;

/**
 * Refuses debits planned while a campaign ran and never submitted: from its end nobody of it is debited
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
 * One statement for everybody: who has something waiting, why some are left out, and a debit for each of the rest.
 * A debit's re-presented amount, and the refunds it is less by, are marked in the same statement, and so seen at the same moment
 * as they were added up: a return that comes in meanwhile is left for the next run. Where refunds come to as much as
 * there is, nothing is debited and all of it waits. What waits is looked up for each supporter above the last covered
 * round-up, from indexes alone, so that the work grows with what waits and not with history (docs/performance.md).
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
