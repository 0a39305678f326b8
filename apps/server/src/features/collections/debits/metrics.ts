import { addDays } from '@sparechange/domain';
import type { Db, Pool } from '#db/connect.ts';
import { rowsOf, sumsOf } from '#db/in-each-bucket.ts';
import { today } from '#ports/clock.ts';
import type { Gauges } from '#telemetry/gauges.ts';
import type { Reading } from '#telemetry/metrics.ts';
import { within } from '#telemetry/readings.ts';
import { missedRun } from './detect-missed-runs.ts';
import { listRefusedRuns } from './record-refusal.ts';
import { findSuspension } from './suspended-runs.ts';

async function countDebits(pool: Pool): Promise<Reading[]> {
  const count = (db: Db) => db<Reading[]>`
    select state as name, count(*)::int as value from debits where run_date >= current_date - 14 group by 1`;
  const byState = Map.groupBy(await rowsOf(pool.inBuckets(), count), ({ name }) => name);
  return [...byState].map(([name, counts]) => ({ name, ...sumsOf(counts.map(({ value }) => ({ value }))) }));
}

export function debitMetrics({ db, clock, flag, gauge, gaugeBy, keptOfAnswering }: Gauges): void {
  flag('debiting_suspended', '1 while debiting is suspended until an operator has looked.', () => findSuspension(db));
  flag('debit_run_missed', '1 while the last debit run that was due has not happened.', () => missedRun(db, clock));
  const refusedRuns = keptOfAnswering(60_000, (pool) => listRefusedRuns(pool, addDays(today(clock), -3)));
  gauge('debits_refused_ratio', 'Share of the debits of a run of the last three days that was refused.', async () =>
    Math.max(0, ...(await refusedRuns()).map(({ refused, debits }) => refused / debits)),
  );
  gauge('tenants_stopped', 'Tenants whose supporters are not debited, by an operator.', async () => {
    const [stopped] = await within(
      2_000,
      db<{ value: number }[]>`select count(*)::int as value from suspended_tenants`,
    );
    return stopped?.value ?? 0;
  });
  const debits = keptOfAnswering(60_000, countDebits);
  gaugeBy('state', 'debits', 'Debits of the runs of the last 14 days, by state; counted each minute.', debits);
}
