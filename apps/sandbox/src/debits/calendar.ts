import { addBankingDays, addDays, bankingDayOnOrAfter, type IsoDate, sydneyDate, sydneyInstant } from '#world/days.ts';

const lastExchange = '18:30';
const outcomeTime = '09:00';

/** Returns the banking day on which a maturing payment leaves. */
function processingDay(maturesAt: number): IsoDate {
  const day = sydneyDate(maturesAt);
  const isTooLate = maturesAt > sydneyInstant(day, lastExchange);
  return bankingDayOnOrAfter(isTooLate ? addDays(day, 1) : day);
}

/** A debit is known to have worked, or not, in the morning two banking days later: after that day's early runs. */
export const debitClearsAt = (maturesAt: number): number =>
  sydneyInstant(addBankingDays(processingDay(maturesAt), 2), outcomeTime);

export const creditClearsAt = (maturesAt: number): number =>
  sydneyInstant(addBankingDays(processingDay(maturesAt), 1), outcomeTime);

/** A late dishonour arrives the banking day after clearing. */
export const lateReturnAt = (clearedAt: number): number =>
  sydneyInstant(addBankingDays(sydneyDate(clearedAt), 1), outcomeTime);
