import { digestOf } from './invariants/digest.ts';
import { openPlay, type SimulationOptions, type SimulationReport } from './play.ts';
import { checkEnd, playDay } from './play-day.ts';
import { seedUuids } from './scheduler/chance.ts';
import { stopLookingAgain } from './scheduler/look-again-timers.ts';
import { inProgram } from './scheduler/program.ts';

/**
 * Plays the whole product for some days of some supporters, until the first day on which something is wrong. The
 * same options give the same report.
 */
export async function simulate(options: SimulationOptions): Promise<SimulationReport> {
  const restored = [seedUuids(options.seed), stopLookingAgain()];
  try {
    return await inProgram({ crash: undefined }, () => playAll(options));
  } finally {
    for (const restore of restored) restore();
  }
}

async function playAll(options: SimulationOptions): Promise<SimulationReport> {
  const play = await openPlay(options);
  try {
    for (let number = 0; number < options.days; number += 1) {
      await playDay(play, number);
      if (play.report.violations.length > 0) return play.report;
    }
    await checkEnd(play);
    play.report.digest = await digestOf(options.database.everybody);
    return play.report;
  } finally {
    await play.close();
  }
}
