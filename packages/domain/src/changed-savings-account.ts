import { nextBankingDay } from './banking-calendar.ts';
import type { IsoDate } from './days.ts';

/** Returns a changed savings account's first day of deposits. */
export const firstDayOfChangedAccount = (changedOn: IsoDate): IsoDate => nextBankingDay(nextBankingDay(changedOn));
