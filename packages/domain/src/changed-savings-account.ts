import { nextBankingDay } from './banking-calendar.ts';
import type { IsoDate } from './days.ts';

/** Returns the first day on which a savings account that replaces another one may receive a deposit. */
export const firstDayOfChangedAccount = (changedOn: IsoDate): IsoDate => nextBankingDay(nextBankingDay(changedOn));
