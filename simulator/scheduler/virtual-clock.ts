import { type IsoDate, sydneyDay } from '@sparechange/domain';
import type { ProductClock } from '@sparechange/server/db/product-clock.ts';

/** The one clock of the simulation. It advances by a millisecond on each reading. */
export interface VirtualClock extends ProductClock {
  /** The time without advancing it. */
  peek(): Date;
  day(): IsoDate;
  /** Moves forward to an instant; never back. */
  moveTo(instant: Date): void;
}

/** Two things that happen one after the other never have the same time, so that no order is left to chance. */
export function virtualClock(start: Date): VirtualClock {
  let ms = start.getTime();
  const moveTo = (instant: Date): void => {
    ms = Math.max(ms, instant.getTime());
  };
  return {
    now: () => {
      ms += 1;
      return new Date(ms);
    },
    peek: () => new Date(ms),
    day: () => sydneyDay(new Date(ms)),
    moveTo,
    setTo: async (instant) => moveTo(instant),
    close: async () => {},
  };
}
