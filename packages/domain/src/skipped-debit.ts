import { nextDebitDay, upcomingDebitDay } from './banking-calendar.ts';
import type { IsoDate } from './days.ts';

/** Allows skipping the next run alone, until it begins. */
export const canSkip = (run: IsoDate, now: Date): boolean => run === upcomingDebitDay(now);

/** The run that takes what waits: the next one, or the one after it where the supporter skips that. */
export const runThatDebits = (next: IsoDate, isSkipped: boolean): IsoDate => (isSkipped ? nextDebitDay(next) : next);
