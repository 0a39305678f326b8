import type { IsoDate } from '#world/days.ts';

export type LineClass =
  | 'bank-fee'
  | 'payment'
  | 'cash-withdrawal'
  | 'transfer'
  | 'loan-interest'
  | 'refund'
  | 'direct-credit'
  | 'interest'
  | 'loan-repayment';

export interface PaymentDetails {
  bpay?: { billerCode: string; billerName: string; crn: string };
  apcaNumber?: string;
}

/** One line of a bank statement. Money out is negative. */
export interface Line {
  /** Names the customer's line, equal at every recalculation. */
  key: string;
  position: number;
  /** The day of booking and listing. */
  day: IsoDate;
  purchasedOn: IsoDate;
  /** Absent where the provider could not tell. */
  class?: LineClass;
  cents: number;
  /** AUD where absent. */
  currency?: string;
  description: string;
  subClass?: { code: string; title: string };
  details?: PaymentDetails;
}

export interface PendingLine extends Line {
  visibleAt: number;
}
