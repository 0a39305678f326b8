import { type Cents, type DeferralReason, type IsoDate, type SkipReason, sydneyTime } from '@sparechange/domain';
import { debitRunTime, isDebitDay, upcomingDebitDay } from '@sparechange/domain/banking-calendar';
import { holdsNow } from '#db/session-lock.ts';
import { Conflict, Unavailable } from '#errors.ts';
import { recordEvents } from '#features/core/events/record-events.ts';
import { isBeingSubmitted, throwIfStopped } from '#features/core/submission/submit-payments.ts';
import { today } from '#ports/clock.ts';
import type { Tenants } from '#tenants/load-tenants.ts';
import { type Plan, planDebits } from './plan-debits.ts';
import type { Refusals } from './record-refusal.ts';
import { refuseDonationsAfterCampaignEnd } from './refuse-planned.ts';
import { findRelease, sharingRun } from './release-runs.ts';
import { RunAnomaly } from './run-anomalies.ts';
import { asksBalancesAgain, type SubmitDeps, submitDebits } from './submit-debits.ts';
import { findSuspension, resumeRuns, suspendRuns } from './suspended-runs.ts';

export interface DebitRun {
  date: IsoDate;
  planned: number;
  submitted: number;
  totalCents: Cents;
  /** Number without a conclusive answer: retried separately. */
  unknown: number;
  skipped: Partial<Record<SkipReason | DeferralReason, number>>;
  /**
   * Number still planned: the bank link is queried again for their balances until 09:00. The run counts as finished
   * without them.
   */
  awaitsBalances: number;
  /** The provider's refusals, by cause. */
  refused: Refusals;
}

export interface RunDeps extends SubmitDeps {
  tenants: Tenants;
}

/** An operator's permission for a run otherwise refused. */
export interface RunOverrides {
  /** Runs even on a non-debit day or during a suspension. */
  force?: boolean;
  /** Last suspension that a forced run ends; null for none, all if absent. */
  upTo?: Date | null | undefined;
  /** Lets other workers submit its debits, too. */
  isShared?: boolean;
  /** Also runs despite an anomaly, or a suspension for one, up to a tenth above this amount. */
  confirmed?: Cents | null;
}

/** Another process is submitting debits; the plan stands. */
export class SubmissionUnderWay extends Unavailable {
  constructor() {
    super('Debits are being submitted already; run again in a minute.');
  }
}

/** The run was planned again during submission, so debits held back in that time are left. */
class PlannedMeanwhile extends Unavailable {
  constructor() {
    super('The run was planned again while it was submitted; run again in a minute.');
  }
}

/**
 * Plans and submits a debit day (docs/rules.md#debit-days). Unless overridden, refuses a day that is no debit day or
 * comes after the next one, throws while debiting is suspended or debits are already being submitted, and throws
 * RunAnomaly for a run far above the usual.
 */
export async function runDebits(
  deps: RunDeps,
  date: IsoDate = today(deps.clock),
  { force = false, upTo, confirmed = null, isShared = false }: RunOverrides = {},
): Promise<DebitRun> {
  const { db, clock } = deps;
  const next = upcomingDebitDay(clock.now());
  if (!force && (!isDebitDay(date) || date > next)) {
    const problem = isDebitDay(date) ? 'is too far ahead' : 'is not a debit day';
    throw new Conflict(`${date} ${problem}; the next one is ${next}. Only a forced run debits all the same.`);
  }
  if (db.inBuckets().length > 1 && (await holdsNow(db, isBeingSubmitted(db, 'debits')))) throw new SubmissionUnderWay(); // planning would hold back its debits
  const isConfirmed = confirmed !== null;
  if (force || isConfirmed) await (force ? resumeRuns(db, clock, 'all', upTo) : resumeRuns(db, clock, 'anomalies'));
  try {
    return await submitPlan(deps, await planDebits(db, clock, deps.tenants, date, confirmed), isShared);
  } catch (error) {
    // A run above the confirmed amount suspends debiting again, with its new amount.
    if (isConfirmed && error instanceof RunAnomaly) await suspendForAnomaly(deps, error);
    throw error;
  }
}

const suspendForAnomaly = ({ db, clock }: Pick<RunDeps, 'db' | 'clock'>, anomaly: RunAnomaly) =>
  suspendRuns(db, clock, anomaly, anomaly.because, anomaly.cents);

/** Submits planned debits; other workers assist in a shared run. */
async function submitPlan(
  deps: RunDeps,
  { date, planned, skipped }: Pick<Plan, 'date' | 'planned' | 'skipped'>,
  isShared = false,
): Promise<DebitRun> {
  const release = await findRelease(deps.db, date);
  const buckets = await refuseDonationsAfterCampaignEnd(deps);
  const submit = () =>
    submitDebits({ ...deps, isShared }, { buckets: buckets.left, mayAskAgain: asksBalancesAgain(deps.clock, date) });
  const report = isShared ? await sharingRun(deps.db, { date, now: deps.clock.now() }, submit) : await submit();
  buckets.throwFailures();
  if (report.isBusy) throw new SubmissionUnderWay();
  throwIfStopped(report, 'debits');
  if ((await findRelease(deps.db, date))?.getTime() !== release?.getTime()) throw new PlannedMeanwhile();
  const { submitted, totalCents, refused, unknown, deferred, awaitsBalances } = report;
  if (!(await findSuspension(deps.db))) await finishRun(deps, date); // otherwise the planned debits wait
  const notDebited = { ...skipped, ...deferred };
  return { date, planned, submitted, totalCents, skipped: notDebited, awaitsBalances, refused, unknown };
}

/**
 * Records the end of a run, and of earlier interrupted runs, whose debits are submitted with it. Each has its event
 * once; an early run ends again with the scheduled one.
 */
async function finishRun({ db, clock }: Pick<RunDeps, 'db' | 'clock'>, date: IsoDate): Promise<void> {
  const at = clock.now();
  await db.begin(async (tx) => {
    const runs = await tx<{ date: IsoDate; debits: number; totalCents: Cents }[]>`
      update debit_runs set finished_at = ${at}
      where run_date = ${date} and (finished_at is null or finished_at < ${sydneyTime(date, debitRunTime)})
        or run_date < ${date} and planned_at is not null and finished_at is null
      returning run_date as date, debits, cents as "totalCents"`;
    const event = { type: 'debit.run.finished', clubId: null, at } as const;
    await recordEvents(
      tx,
      runs
        .filter((run) => at >= sydneyTime(run.date, debitRunTime)) // otherwise the scheduled run adds to it
        .map((run) => ({ ...event, about: run.date, data: { ...run } })),
    );
  });
}

/**
 * Makes the scheduled run: an unusual one suspends debiting until an operator has reviewed it, so that it is not
 * planned again each minute. Until 09:00 debits whose balance the bank link cannot report stay planned. Called again,
 * it submits the rest and plans nothing.
 */
export async function runDueDebits(deps: RunDeps, date: IsoDate): Promise<DebitRun> {
  const isShared = deps.db.inBuckets().length > 1;
  const release = await findRelease(deps.db, date);
  if (release && release >= sydneyTime(date, debitRunTime))
    return submitPlan(deps, { date, planned: 0, skipped: {} }, isShared);
  try {
    return await runDebits(deps, date, { isShared });
  } catch (error) {
    if (error instanceof RunAnomaly) await suspendForAnomaly(deps, error);
    throw error;
  }
}
