import { addDays, type IsoDate, monthStart } from './days.ts';

/** A month is its first day. */
export type Month = IsoDate;

/** Returns the month before, whose set-aside is deposited (docs/rules.md#monthly-deposit). */
export const monthToDeposit = (day: IsoDate): Month => monthStart(addDays(monthStart(day), -1));

export const lastDayOf = (month: Month): IsoDate => addDays(monthStart(addDays(month, 31)), -1);

/** Reads a month written `YYYY-MM`; undefined for anything else. */
export function parseMonth(text: string): Month | undefined {
  return /^(?!0000)\d{4}-(0[1-9]|1[0-2])$/.test(text) ? (`${text}-01` as Month) : undefined;
}
