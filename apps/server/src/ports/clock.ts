import { type IsoDate, sydneyDay } from '@sparechange/domain';

/** The product's time: real, or the sandbox's during `ops advance`. */
export interface Clock {
  now(): Date;
}

/** The Sydney day it is. */
export const today = (clock: Clock): IsoDate => sydneyDay(clock.now());
