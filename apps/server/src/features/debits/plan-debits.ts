import type { Cents, IsoDate, SkipReason } from '@sparechange/domain';
import { sumOfCounts } from '@sparechange/domain/counts';
import { anomaliesOf, isCovered, sumOfRuns } from '@sparechange/domain/run-anomaly';
import type { Db, Pool } from '#db/connect.ts';
import { awaitSessionLock } from '#db/session-lock.ts';
import { runningCampaigns } from '#features/clubs/campaigns.ts';
import type { Clock } from '#ports/clock.ts';
import type { Tenants } from '#tenants/load-tenants.ts';
import { type BucketPlan, countBucket, planBucket, type RunPart } from './plan-bucket.ts';
import { beginRun, holdRun, listUnfinished, releaseRun } from './release-runs.ts';
import { listPastRuns, type PastRun, RunAnomaly } from './run-anomalies.ts';
import { refuseWhileSuspended } from './suspended-runs.ts';

export interface Plan {
  date: IsoDate;
  planned: number;
  totalCents: Cents;
  skipped: Partial<Record<SkipReason, number>>;
}

/**
 * Plans one debit per supporter for everything counted and not yet debited (docs/rules.md#one-debit-a-run), bucket by bucket, and
 * then releases the run (docs/decisions/0113-runs-over-buckets.md). Planning a day again adds
 * only those who could not be planned before. Planners take turns, whatever day they plan, because two days planned at
 * once would both collect what an earlier debit failed to; and a supporter has one round-up debit a day. A run that is
 * unusual throws RunAnomaly and plans nobody, unless operators confirm as much, or have (docs/decisions/0147-what-a-confirmation-covers.md).
 */
export const planDebits = (
  pool: Pool,
  clock: Clock,
  tenants: Tenants,
  date: IsoDate,
  confirmedNow: Cents | null = null,
): Promise<Plan> =>
  awaitSessionLock(pool, 'plan a debit run', async () => {
    await refuseWhileSuspended(pool);
    const confirmed = await beginRun(pool, date, clock.now(), confirmedNow);
    const run = { date, now: clock.now(), running: await runningCampaigns(pool, tenants, date) };
    const pastRuns = await listPastRuns(pool, date);
    const unfinished = await listUnfinished(pool, date);
    const buckets = pool.inBuckets();
    const parts = new Map<Pool, RunPart[]>();
    const whole = () => [...parts.values()].flat();
    const refuseUnusual = () => {
      const released = [...unfinished.flatMap((left) => left.whole), ...whole()];
      const anomalies = anomaliesOfRun(released, pastRuns);
      const total = sumOfRuns(released);
      const isConfirmed = confirmed !== null && isCovered(total.cents, confirmed);
      if (anomalies.length > 0 && !isConfirmed) throw new RunAnomaly(date, total, anomalies, confirmed);
    };
    if (buckets.length > 1) {
      for (const bucket of buckets) parts.set(bucket, (await countBucket(bucket, run)).part);
      refuseUnusual(); // while nothing is planned; one bucket alone is rolled back
      await holdRun(pool, date);
    }
    const release = async (control: Db) => {
      for (const planned of [...unfinished, { date, whole: whole() }]) await releaseRun(control, planned, run.now);
    };
    const plans: BucketPlan[] = [];
    for (const bucket of buckets)
      await bucket.begin(async (tx) => {
        const plan = await planBucket(tx, run);
        parts.set(bucket, plan.part);
        refuseUnusual();
        plans.push(plan);
        if (buckets.length === 1) await release(tx); // with its debits or not at all
      });
    if (buckets.length > 1) await release(pool);
    const { debits: planned, cents: totalCents } = sumOfRuns(plans.flatMap(({ added }) => added));
    return { date, planned, totalCents, skipped: sumOfCounts(plans.flatMap(({ skipped }) => skipped)) };
  });

/** Returns what is unusual about a run; first debits are not. */
export const anomaliesOfRun = (whole: RunPart[], pastRuns: PastRun[]): string[] =>
  anomaliesOf(sumOfRuns(whole.filter(({ isFirst }) => !isFirst)), pastRuns);
