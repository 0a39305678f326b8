import { type IsoDate, sydneyDay } from '@sparechange/domain';

/** The product's time: real, or the sandbox's during `ops advance`. */
export interface Clock {
  now(): Date;
}

/** Returns today's date in Sydney. */
export const today = (clock: Clock): IsoDate => sydneyDay(clock.now());
