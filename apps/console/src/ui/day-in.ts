import { day } from '@sparechange/contract/day';
import type { IsoDate } from '@sparechange/domain';

/** Reads a day typed into a field or the address; undefined for a value that the server would refuse. */
export const dayIn = (typed: string): IsoDate | undefined => day.safeParse(typed).data;
