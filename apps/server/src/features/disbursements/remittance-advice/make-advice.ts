import {
  addDays,
  addUpPayout,
  type Cents,
  forecast,
  type IsoDate,
  type PayoutDay,
  type PayoutTotals,
  sydneyTime,
  total,
  weekStart,
} from '@sparechange/domain';
import type { Db, Pool } from '#db/connect.ts';
import { Conflict } from '#errors.ts';
import { listAdjustments } from '#features/core/ledger/club-adjustments.ts';
import { type Clock, today } from '#ports/clock.ts';
import type { Advice, AdviceFacts } from './advice-repository.ts';
import {
  type AdvisedRemittance,
  findAdvice,
  keepAdvice,
  listPaidDays,
  listWeeksGiven,
  listWithoutAdvice,
  queueAdvices,
  weeklyCeiling,
} from './advice-repository.ts';

/** Thrown for a remittance whose days and deposit differ: such an advice must not reach a treasurer. */
class DoesNotAddUp extends Conflict {}

export interface MakingDeps {
  db: Pool;
  clock: Clock;
}

/** Older deposits get an advice only on request, so that a new version does not email a club its whole past. */
const mailedForDays = 14;

const mailedSince = (clock: Clock): Date => sydneyTime(addDays(today(clock), -mailedForDays), '00:00');

/**
 * Creates the advice of each remittance that reached the provider, once, and queues due emails. Throws at the end if
 * one is off by a cent.
 */
export async function makeAdvices({ db, clock }: MakingDeps): Promise<number> {
  const waiting = await listWithoutAdvice(db, mailedSince(clock));
  const problems: string[] = [];
  for (const remittance of waiting) {
    try {
      const facts = await factsOfRemittance(db, remittance, today(clock));
      await keepAdvice(db, remittance, facts, clock.now(), remittance.email);
    } catch (error) {
      if (!(error instanceof DoesNotAddUp)) throw error;
      problems.push(error.message);
    }
  }
  await queueAdvices(db, clock.now());
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return waiting.length;
}

/**
 * Returns a remittance's advice; a missing one is created now, and emailed with the next ones unless its deposit is
 * older.
 */
export async function findOrMakeAdvice(
  { db, clock }: MakingDeps,
  remittance: AdvisedRemittance,
  day: IsoDate,
): Promise<Advice> {
  const found = await findAdvice(db, remittance.id);
  if (found) return found;
  const email = remittance.submittedAt >= mailedSince(clock) ? remittance.email : null;
  await keepAdvice(db, remittance, await factsOfRemittance(db, remittance, day), clock.now(), email);
  const made = await findAdvice(db, remittance.id);
  if (!made) throw new Error(`The advice of ${remittance.id} was not kept.`);
  return made;
}

function addUp(remittance: AdvisedRemittance, days: PayoutDay[], adjusted: Cents): PayoutTotals {
  try {
    return addUpPayout(days, remittance.amount, adjusted);
  } catch (error) {
    throw new DoesNotAddUp(
      `The advice of remittance ${remittance.id} does not add up: ${(error as Error).message}. Run ops audit.`,
    );
  }
}

/** Returns a remittance advice's facts, with that day's forecast. Throws Conflict if they are off by a cent. */
export async function factsOfRemittance(db: Db, remittance: AdvisedRemittance, day: IsoDate): Promise<AdviceFacts> {
  const { clubId, club, abn, reference, paidOn } = remittance;
  const { days, supporters } = await listPaidDays(db, remittance);
  const adjustments = await listAdjustments(db, remittance.id);
  const adjusted = total(adjustments.map((each) => each.cents));
  const weeks = await listWeeksGiven(db, clubId, weekStart(day));
  return {
    version: 2,
    club: { id: clubId, name: club, abn },
    reference,
    paidOn,
    days,
    adjustments,
    supporters,
    totals: addUp(remittance, days, adjusted),
    forecast: forecast(weeks, await weeklyCeiling(db, clubId)) ?? null,
  };
}
