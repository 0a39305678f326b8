import { isoDate } from '@sparechange/domain';
import type { Pool } from '@sparechange/server/db/connect.ts';
import { type Plan, planDebits } from '@sparechange/server/features/collections/debits/plan-debits.ts';
import type { Tenants } from '@sparechange/server/tenants/load-tenants.ts';
import { timeOf } from '@sparechange/server/testing/timetable.ts';
import { medianRatio, rounded, timed } from './stopwatch.ts';
import { makeTwin } from './tables.ts';

/** The run that is planned, and the one after it, which meets only what was recorded in between. */
const runDate = isoDate('2026-11-25');
const nextRunDate = isoDate('2026-11-27');

const clock = { now: () => timeOf('debit-run', runDate) };

/** One earlier debit of everybody in the table of each bucket and nothing else, as when the last run was planned. */
async function startOver(pool: Pool, table: string): Promise<void> {
  for (const bucket of pool.inBuckets()) {
    await bucket.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx.unsafe(`truncate ${table} cascade`);
      await tx.unsafe(`insert into ${table} select * from earlier_debits`);
    });
    await bucket.unsafe(`vacuum analyze ${table}`);
  }
  await pool`checkpoint`;
}

/** The floor: adding up and writing down, and nothing of who may be debited, what is covered and what failed. */
const bareInsert = (bucket: Pool) => bucket`
  insert into bare_debits (supporter_id, run_date, kind, attempt, club_id, amount_cents, savings_cents, first_seq, last_seq,
    mandate_id, reference, planned_at)
  select supporter_id, ${runDate}, 'round-up', 1, uuid_of('club 0'), sum(counted_cents), 0, min(seq), max(seq),
    md5('mandate')::uuid, 'RU0000000000000000', ${clock.now()}
  from round_ups group by supporter_id having sum(counted_cents) > 0`;

/** Plans a run of everybody from the same start; returns its seconds. */
export async function measurePlanSeconds(pool: Pool, tenants: Tenants): Promise<number> {
  await startOver(pool, 'debits');
  return timed('plan: planDebits', () => planDebits(pool, clock, tenants, runDate));
}

/** Plans a run of everybody `runs` times, each beside the floor, from the same start. */
export async function measurePlan(pool: Pool, tenants: Tenants, runs: number) {
  const buckets = pool.inBuckets();
  for (const bucket of buckets) await makeTwin(bucket, 'debits', 'bare_debits');
  const [product, floor]: [number[], number[]] = [[], []];
  let plan: Plan | undefined;
  const runProduct = async () => {
    await startOver(pool, 'debits');
    product.push(
      await timed('plan: planDebits', async () => {
        plan = await planDebits(pool, clock, tenants, runDate);
      }),
    );
  };
  const runFloor = async () => {
    await startOver(pool, 'bare_debits');
    floor.push(
      await timed('plan: bare insert', async () => {
        for (const bucket of buckets) await bareInsert(bucket);
      }),
    );
  };
  for (let run = 0; run < runs; run++) {
    const pair = run % 2 === 0 ? [runFloor, runProduct] : [runProduct, runFloor];
    for (const measure of pair) await measure();
  }
  for (const bucket of buckets) await bucket`drop table bare_debits`;
  return {
    ratio: rounded(medianRatio(product, floor)),
    productSeconds: product.map((seconds) => rounded(seconds)),
    floorSeconds: floor.map((seconds) => rounded(seconds)),
    planned: plan?.planned ?? 0,
    skipped: plan?.skipped ?? {},
  };
}

/** Measures the next run, with only later purchases being new. */
export async function measureNextPlan(pool: Pool, tenants: Tenants) {
  let planned = 0;
  const seconds = await timed('plan: the next run', async () => {
    planned = (await planDebits(pool, clock, tenants, nextRunDate)).planned;
  });
  return { seconds: rounded(seconds), planned };
}
