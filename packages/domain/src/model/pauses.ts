import type { IsoDate } from '../days.ts';

/** Days of a pause, up to the one on which round-ups resume; `until` is undefined while it lasts. */
export interface PausedDays {
  from: IsoDate;
  until: IsoDate | undefined;
}

/** Returns whether purchases of a day are not rounded up for a pause, however late they are shown. */
export const isDayOfPause = ({ from, until }: PausedDays, day: IsoDate): boolean =>
  day >= from && (until === undefined || day < until);
