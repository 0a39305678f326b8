import { type IsoDate, sydneyDay } from '@sparechange/domain';

/** The product's time: real time, or the sandbox's while `ops advance` plays the days ahead. */
export interface Clock {
  now(): Date;
}

/** The Sydney day it is. */
export const today = (clock: Clock): IsoDate => sydneyDay(clock.now());
