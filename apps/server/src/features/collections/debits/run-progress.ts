import { addDays, type Cents, type IsoDate, sydneyTime, cents as toCents } from '@sparechange/domain';
import { type RunTotal, sumOfRuns } from '@sparechange/domain/run-anomaly';
import type { Pool } from '#db/connect.ts';
import { rowsOf } from '#db/in-each-bucket.ts';
import type { RefusalCause } from '#ports/direct-debit.ts';
import type { DebitState } from './debit-repository.ts';

/** Debits with the same outcome and reason. */
export interface RunOutcome extends RunTotal {
  state: DebitState;
  returnCode: number | null;
  refusalCause: RefusalCause | null;
  deferredBecause: string | null;
}

const steps = {
  planned: 'planned',
  submitting: 'submitting',
  submitted: 'submitted',
  cleared: 'cleared',
  returned: 'failed',
  reversed: 'failed',
  refused: 'failed',
  deferred: 'deferred',
} as const satisfies Record<DebitState, string>;

export type RunProgress = Record<(typeof steps)[DebitState], RunTotal>;

/** Merges buckets' rows that differ only in their sums. */
function addedUp<Row extends RunTotal>(rows: Row[]): Row[] {
  const alike = Map.groupBy(rows, ({ debits: _debits, cents: _cents, ...kind }) => JSON.stringify(kind));
  return [...alike.values()].flatMap((rows) => rows.slice(0, 1).map((row) => ({ ...row, ...sumOfRuns(rows) })));
}

/** Sums a run's debits by outcome, over all buckets. */
export async function listRunOutcomes(pool: Pool, date: IsoDate): Promise<RunOutcome[]> {
  const rows = await rowsOf(
    pool.inBuckets(),
    (bucket) => bucket<RunOutcome[]>`
      select state, return_code as "returnCode", refusal_cause as "refusalCause", deferred_because as "deferredBecause",
        count(*) as debits, sum(amount_cents)::bigint as cents
      from debits where run_date = ${date} and kind = 'round-up' group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
  );
  return addedUp(rows);
}

/** A debit is planned on the day of its run or within the week after it. */
const plannedWithinDays = 7;

/**
 * Returns the progress of each of some runs. Open and returned debits are counted, which indexes hold separately; the
 * rest of a run's debits has cleared.
 */
export async function listProgress(
  pool: Pool,
  runs: readonly { date: IsoDate; debits: number; cents: Cents }[],
): Promise<Map<IsoDate, RunProgress>> {
  const dates = runs.map(({ date }) => date);
  const [oldest] = dates.toSorted();
  if (!oldest) return new Map();
  const since = sydneyTime(addDays(oldest, -plannedWithinDays), '00:00');
  const rows = await rowsOf(
    pool.inBuckets(),
    (bucket) => bucket<(Pick<RunOutcome, 'state'> & RunTotal & { date: IsoDate })[]>`
      select run_date as date, state, count(*) as debits, sum(amount_cents)::bigint as cents
      from (
        select run_date, state, amount_cents, kind from debits where state = 'planned'
        union all select run_date, state, amount_cents, kind from debits where state in ('submitting', 'submitted')
        union all select run_date, state, amount_cents, kind from debits
          where state in ('returned', 'reversed', 'refused', 'deferred') and planned_at >= ${since}
      ) debit
      where kind = 'round-up' and run_date = any(${dates}::date[]) group by 1, 2`,
  );
  return new Map(
    runs.map(({ date, debits, cents }) => {
      const counted = rows.filter((row) => row.date === date);
      const other = sumOfRuns(counted);
      const cleared = { debits: Math.max(0, debits - other.debits), cents: toCents(Math.max(0, cents - other.cents)) };
      return [date, { ...progressOf(counted), cleared }];
    }),
  );
}

export function progressOf(outcomes: readonly (Pick<RunOutcome, 'state'> & RunTotal)[]): RunProgress {
  const of = (step: keyof RunProgress) => sumOfRuns(outcomes.filter(({ state }) => steps[state] === step));
  return {
    planned: of('planned'),
    submitting: of('submitting'),
    submitted: of('submitted'),
    cleared: of('cleared'),
    failed: of('failed'),
    deferred: of('deferred'),
  };
}

export type CameBack = Pick<RunOutcome, 'debits' | 'cents' | 'returnCode' | 'refusalCause'> & {
  state: 'returned' | 'reversed' | 'refused';
};

/** Sums the debits and one-off donations returned since an instant, by reason, largest first. */
export async function listCameBack(pool: Pool, since: Date): Promise<CameBack[]> {
  const rows = await rowsOf(
    pool.inBuckets(),
    (bucket) => bucket<CameBack[]>`
      select state, return_code as "returnCode", refusal_cause as "refusalCause", count(*) as debits,
        sum(amount_cents)::bigint as cents
      from debits where outcome_at >= ${since} and state in ('returned', 'reversed', 'refused') group by 1, 2, 3`,
  );
  return addedUp(rows).sort((one, other) => other.debits - one.debits);
}
