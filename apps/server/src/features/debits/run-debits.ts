import type { Cents, DeferralReason, IsoDate, SkipReason } from '@sparechange/domain';
import { isDebitDay, upcomingDebitDay } from '@sparechange/domain/banking-calendar';
import { Conflict } from '#errors.ts';
import { requireWhole } from '#features/submission/submit-payments.ts';
import { today } from '#ports/clock.ts';
import type { Tenants } from '#tenants/load-tenants.ts';
import { planDebits } from './plan-debits.ts';
import type { Refusals } from './record-refusal.ts';
import { RunAnomaly } from './run-anomalies.ts';
import { type SubmitDeps, submitDebits } from './submit-debits.ts';
import { resumeRuns, suspendRuns } from './suspended-runs.ts';

export interface DebitRun {
  date: IsoDate;
  planned: number;
  submitted: number;
  totalCents: Cents;
  /** Without a conclusive answer: asked for again on their own. */
  unknown: number;
  skipped: Partial<Record<SkipReason | DeferralReason, number>>;
  /** The provider's refusals, by cause. */
  refused: Refusals;
}

export interface RunDeps extends SubmitDeps {
  tenants: Tenants;
}

/** An operator's word on what a run would otherwise refuse. */
export interface RunOverrides {
  /** Also runs on a non-debit day and while runs are suspended. */
  force?: boolean;
  /** Also runs despite an anomaly, or a suspension for one. */
  confirm?: boolean;
}

/**
 * Plans and submits a debit day (docs/rules.md#debit-days). Throws a refusal for a day that is none or comes after the next one, and
 * while debiting is suspended, and RunAnomaly for a run far above the usual, unless the operator insists.
 */
export async function runDebits(
  deps: RunDeps,
  date: IsoDate = today(deps.clock),
  { force = false, confirm = false }: RunOverrides = {},
): Promise<DebitRun> {
  const { db, clock } = deps;
  const next = upcomingDebitDay(clock.now());
  if (!force && (!isDebitDay(date) || date > next)) {
    const problem = isDebitDay(date) ? 'is too far ahead' : 'is not a debit day';
    throw new Conflict(`${date} ${problem}; the next one is ${next}. Use --force to run all the same.`);
  }
  if (force || confirm) await resumeRuns(db, clock, force ? 'all' : 'anomalies');
  const plan = await planDebits(db, clock, deps.tenants, date, confirm);
  const report = await submitDebits(deps);
  requireWhole(report, 'debits');
  const { submitted, totalCents, refused, unknown, waited } = report;
  if (!refused.not_permitted)
    // otherwise debiting is suspended, and what is planned waits
    await db`update debit_runs set finished_at = coalesce(finished_at, ${clock.now()}) where run_date = ${date}`;
  const skipped = { ...plan.skipped, ...waited };
  return { date, planned: plan.planned, submitted, totalCents, skipped, refused, unknown };
}

/** The timetable's run: an unusual one suspends debiting until an operator has looked, so that it is not worked out each minute. */
export async function runDueDebits(deps: RunDeps, date: IsoDate): Promise<DebitRun> {
  try {
    return await runDebits(deps, date);
  } catch (error) {
    if (error instanceof RunAnomaly) await suspendRuns(deps.db, deps.clock, error, error.because, true);
    throw error;
  }
}
