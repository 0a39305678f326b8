import type { IsoDate } from '#world/days.ts';
import type { Cents } from '#world/money.ts';

export const lineClasses = [
  'payment',
  'bank-fee',
  'cash-withdrawal',
  'transfer',
  'loan-interest',
  'refund',
  'direct-credit',
  'interest',
  'loan-repayment',
] as const;
export type LineClass = (typeof lineClasses)[number];

/** One line of a bank statement. Money out is negative. */
export interface Line {
  /** Names the customer's line, equal at every recalculation. */
  key: string;
  position: number;
  /** The day of booking and listing. */
  day: IsoDate;
  purchasedOn: IsoDate;
  /** Absent where the provider does not know. */
  class?: LineClass;
  cents: Cents;
  /** AUD where absent. */
  currency?: string;
  description: string;
  subClass?: { code: string; title: string };
  /** Details of a bill payment, by BPAY or direct debit. */
  details?: { bpay?: { billerCode: string; billerName: string; crn: string }; apcaNumber?: string };
}

export interface PendingLine extends Line {
  visibleAt: number;
}

/** A line booked on the day of the movement itself. */
export const sameDayLine = (
  key: string,
  position: number,
  day: IsoDate,
  lineClass: LineClass,
  cents: Cents,
  description: string,
): Line => ({ key, position, day, purchasedOn: day, class: lineClass, cents, description });
