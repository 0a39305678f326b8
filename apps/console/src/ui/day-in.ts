import { day } from '@sparechange/contract/day';
import type { IsoDate } from '@sparechange/domain';

/** Reads a day that somebody typed, in a field or into the address; undefined for what the server would not take. */
export const dayIn = (typed: string): IsoDate | undefined => day.safeParse(typed).data;
