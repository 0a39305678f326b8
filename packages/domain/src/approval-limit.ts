import { cents } from './money.ts';

/** The most that one person may refund of one debit, or write off and correct for one club on one day. */
export const maxWithoutSecondPerson = cents(50_00);
