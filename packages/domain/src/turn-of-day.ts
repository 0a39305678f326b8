import { daysBetween, type IsoDate, isoDate } from './days.ts';

const epoch = isoDate('1970-01-01');
/** Prime, so that the first of consecutive days are far apart. */
const stride = 104_729;

/** Rotates a list to another start each Sydney day, so that a few who fail every day are not always first. */
export function inTurnOfDay<Each>(list: readonly Each[], day: IsoDate): Each[] {
  const start = (daysBetween(epoch, day) * stride) % Math.max(list.length, 1);
  return [...list.slice(start), ...list.slice(0, start)];
}
