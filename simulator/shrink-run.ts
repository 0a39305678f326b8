import { daysBetween } from '@sparechange/domain';
import type { SimulatedDatabase } from './database.ts';
import { faultKinds } from './faults/faults.ts';
import { firstDay, type SimulationOptions, type SimulationReport } from './play.ts';
import { type Case, type Found, type Shrunk, shrink } from './shrink.ts';
import { simulate } from './simulation.ts';

/** Everything of a run but its database, of which each rerun has one of its own. */
export type RunOptions = Omit<SimulationOptions, 'database' | 'onDay'>;

const foundIn = ({ violations }: SimulationReport): Found[] =>
  violations.map(({ what, day }) => ({ what, onDay: daysBetween(firstDay, day) + 1 }));

const caseOf = ({ supporters, only, days, faults, kinds = faultKinds }: RunOptions): Case => ({
  supporters: only ?? Array.from({ length: supporters }, (_, index) => index + 1),
  days,
  kinds: faults ? kinds : [],
});

/** Returns the options that play a smaller case. */
export const optionsOf = (whole: RunOptions, { supporters, days, kinds }: Case): RunOptions => ({
  ...whole,
  only: supporters,
  days,
  faults: kinds.length > 0,
  kinds,
});

/** Finds the smallest run that still shows the first violation of one. */
export function shrinkRun(
  whole: RunOptions,
  report: SimulationReport,
  openDatabase: () => Promise<SimulatedDatabase>,
  maxReruns?: number,
): Promise<Shrunk> {
  const [first] = foundIn(report);
  if (!first) throw new Error('There is no violation to shrink.');
  const play = async (smaller: Case): Promise<Found[]> => {
    const database = await openDatabase();
    try {
      return foundIn(await simulate({ ...optionsOf(whole, smaller), database }));
    } finally {
      await database.close();
    }
  };
  return shrink(caseOf(whole), first, play, maxReruns);
}

/** Says what a smaller run does without. */
export function leftOut(whole: RunOptions, { smallest, reruns, isComplete }: Shrunk): string {
  const before = caseOf(whole);
  const parts = [
    `${before.supporters.length - smallest.supporters.length} of ${before.supporters.length} supporters`,
    `${before.days - smallest.days} of ${before.days} days`,
    ...(before.kinds.length > 0
      ? [`${before.kinds.length - smallest.kinds.length} of ${before.kinds.length} kinds of faults`]
      : []),
  ];
  const end = isComplete ? '' : '; more may be left out';
  return `left out ${parts.join(', ')} in ${reruns} reruns${end}`;
}
