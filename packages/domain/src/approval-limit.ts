import { cents } from './money.ts';

/**
 * The most that one person may, alone, refund of one debit in all; write off and correct for one club on one day; or, on one
 * day, correct without a club and match by hand together.
 */
export const maxWithoutSecondPerson = cents(50_00);

/** Bookings by hand of one day without a second person that are alarmed above this sum. */
export const alarmAboveOfDay = cents(200_00);
