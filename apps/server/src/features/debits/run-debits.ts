import type { IsoDate } from '@sparechange/domain';
import { isDebitDay, upcomingDebitDay } from '@sparechange/domain/banking-calendar';
import type { Tenants } from '#features/tenants/load-tenants.ts';
import { Refusal } from '#http/errors.ts';
import { today } from '#ports/clock.ts';
import { liftHalts } from './halted-runs.ts';
import { planDebits, type SkipReason } from './plan-debits.ts';
import { type SubmitDeps, submitDebits } from './submit-debits.ts';

export interface DebitRun {
  date: IsoDate;
  planned: number;
  submitted: number;
  totalCents: number;
  skipped: Partial<Record<SkipReason, number>>;
}

export interface RunDeps extends SubmitDeps {
  tenants: Tenants;
}

/**
 * Plans and submits a debit day (design 7.5). Throws a refusal for a day that is none and while debiting is halted;
 * `force` is the operator's word that both are all right.
 */
export async function runDebits(deps: RunDeps, date: IsoDate = today(deps.clock), force = false): Promise<DebitRun> {
  if (!force && !isDebitDay(date)) {
    const next = upcomingDebitDay(deps.clock.now());
    throw new Refusal(
      409,
      'conflict',
      `${date} is not a debit day; the next one is ${next}. Use --force to run all the same.`,
    );
  }
  if (force) await liftHalts(deps.db, deps.clock);
  const plan = await planDebits(deps.db, deps.clock, deps.tenants, date);
  const { submitted, totalCents, unknown } = await submitDebits(deps);
  if (unknown > 0) {
    throw new Refusal(
      502,
      'provider-unavailable',
      `${unknown} debits may or may not be at the provider; the next run asks.`,
    );
  }
  return { date, planned: plan.planned, submitted, totalCents, skipped: plan.skipped };
}
