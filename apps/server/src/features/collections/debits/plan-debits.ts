import type { Cents, IsoDate, SkipReason } from '@sparechange/domain';
import { sumOfCounts } from '@sparechange/domain/counts';
import { anomaliesOf, isCovered, sumOfRuns } from '@sparechange/domain/run-anomaly';
import type { Db, Pool } from '#db/connect.ts';
import { awaitSessionLock } from '#db/session-lock.ts';
import { runningCampaigns } from '#features/beneficiaries/clubs/campaigns.ts';
import type { Clock } from '#ports/clock.ts';
import type { Tenants } from '#tenants/load-tenants.ts';
import { type BucketPlan, countBucket, planBucket, type RunPart, type RunToPlan } from './plan-bucket.ts';
import { beginRun, holdRun, keepLeftOut, listUnfinished, type PlannedRun, releaseRun } from './release-runs.ts';
import { listPastRuns, type PastRun, RunAnomaly } from './run-anomalies.ts';
import { refuseWhileSuspended } from './suspended-runs.ts';

export interface Plan {
  date: IsoDate;
  planned: number;
  totalCents: Cents;
  skipped: Partial<Record<SkipReason, number>>;
}

/**
 * Plans one debit per supporter for all round-ups not yet debited, and releases the run
 * (docs/rules.md#one-debit-a-run). Planning a day again adds only supporters who could not be planned before. Throws
 * RunAnomaly for an unusual run without enough confirmed.
 */
export const planDebits = (
  pool: Pool,
  clock: Clock,
  tenants: Tenants,
  date: IsoDate,
  newlyConfirmed: Cents | null = null,
): Promise<Plan> =>
  // Planners take turns even for different days: two days planned concurrently would both collect an earlier failed
  // debit.
  awaitSessionLock(pool, 'plan a debit run', async (lost) => {
    await refuseWhileSuspended(pool);
    const confirmed = await beginRun(pool, date, clock.now(), newlyConfirmed);
    const run = { date, now: clock.now(), running: await runningCampaigns(pool, tenants, date) };
    const pastRuns = await listPastRuns(pool, date);
    const planning = { run, confirmed, pastRuns, unfinished: await listUnfinished(pool, date) };
    const buckets = pool.inBuckets();
    const [onlyBucket = pool] = buckets;
    return summarise(
      date,
      buckets.length === 1 ? [await planOneBucket(onlyBucket, planning)] : await planBuckets(pool, planning, lost),
    );
  });

interface Planning {
  run: RunToPlan;
  /** Highest amount that operators have confirmed for the run, now or before. */
  confirmed: Cents | null;
  pastRuns: PastRun[];
  /** Earlier runs interrupted between buckets, released with this one. */
  unfinished: PlannedRun[];
}

/** Plans and releases a run of one bucket in one transaction: with all its debits or none. */
const planOneBucket = (bucket: Pool, planning: Planning): Promise<BucketPlan> =>
  bucket.begin(async (tx) => {
    const plan = await planBucket(tx, planning.run);
    refuseUnusual(planning, plan.part);
    await release(tx, planning, [plan]);
    return plan;
  });

/** Plans a run bucket by bucket, then releases it (docs/decisions/debit-run.md#planning-over-buckets). */
async function planBuckets(pool: Pool, planning: Planning, lost: AbortSignal): Promise<BucketPlan[]> {
  const parts = new Map<string | undefined, RunPart[]>();
  const allParts = () => [...parts.values()].flat();
  for (const bucket of pool.inBuckets()) {
    const { part } = await bucket.begin((tx) => countBucket(tx, planning.run));
    parts.set(bucket.scope.path, part);
  }
  refuseUnusual(planning, allParts()); // before anything is planned: buckets that have committed cannot be rolled back
  await holdRun(pool, planning.run.date);
  const plans: BucketPlan[] = [];
  for (const bucket of pool.inBuckets())
    await bucket.begin(async (tx) => {
      lost.throwIfAborted(); // another process may plan the same run
      const plan = await planBucket(tx, planning.run);
      parts.set(bucket.scope.path, plan.part);
      refuseUnusual(planning, allParts());
      plans.push(plan);
    });
  lost.throwIfAborted();
  await release(pool, planning, plans);
  return plans;
}

/** Throws RunAnomaly if the run is unusual and no confirmation covers it (docs/decisions/debit-run.md#confirmation). */
function refuseUnusual({ run, confirmed, pastRuns, unfinished }: Planning, parts: RunPart[]): void {
  const released = [...unfinished.flatMap((earlier) => earlier.parts), ...parts];
  const anomalies = anomaliesOfRun(released, pastRuns);
  const total = sumOfRuns(released);
  const isConfirmed = confirmed !== null && isCovered(total.cents, confirmed);
  if (anomalies.length > 0 && !isConfirmed) throw new RunAnomaly(run.date, total, anomalies, confirmed);
}

async function release(control: Db, { run, unfinished }: Planning, plans: BucketPlan[]): Promise<void> {
  const parts = plans.flatMap(({ part }) => part);
  for (const planned of [...unfinished, { date: run.date, parts }]) await releaseRun(control, planned, run.now);
  await keepLeftOut(control, run.date, sumOfCounts(plans.flatMap(({ skipped }) => skipped)));
}

function summarise(date: IsoDate, plans: BucketPlan[]): Plan {
  const { debits: planned, cents: totalCents } = sumOfRuns(plans.flatMap(({ added }) => added));
  return { date, planned, totalCents, skipped: sumOfCounts(plans.flatMap(({ skipped }) => skipped)) };
}

/** Returns a run's unusual aspects; first debits are ignored. */
export const anomaliesOfRun = (parts: RunPart[], pastRuns: PastRun[]): string[] =>
  anomaliesOf(sumOfRuns(parts.filter(({ isFirst }) => !isFirst)), pastRuns);
