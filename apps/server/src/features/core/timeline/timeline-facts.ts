import type { Cents, DeferralReason, IsoDate } from '@sparechange/domain';

/** Facts named by every sentence about a debit or deposit. */
interface Payment {
  /** Reference on the bank statement and in the provider's books. */
  reference: string;
  amount: Cents;
}

/** A deposit of savings, or the refund of a debit. */
type PaidOutAs = 'deposit' | 'refund';
type PaidOutEnd = 'returned' | 'reversed' | 'refused';

export interface PaidOut extends Payment {
  /** Reference of the refunded debit. */
  debit?: string;
}

/** A day's round-ups as far as a debit covers them. */
export interface CoveredDay {
  day: IsoDate;
  purchases: number;
  counted: Cents;
}

export interface PlannedDebit extends Payment {
  kind: 'debit planned';
  debit: 'round-up' | 'donation';
  runDate: IsoDate;
  savings: Cents;
  /** Cents of the amount left uncollected by earlier debits. */
  represented: Cents;
  /** Spare change of refunded purchases, deducted from the amount. */
  refunds: Cents;
  maskedAccount: string;
  /** Number of round-ups it covers, none if it only re-presents; `days` holds fewer once bank data has been deleted. */
  covers: number;
  days: CoveredDay[];
}

/** An event as read from the tables, before timeline-sentences.ts puts it into words. */
export type TimelineFact =
  | { kind: 'registered'; name: string; email: string; club: string; tenant: string; referrer: string | null }
  | {
      kind: 'agreed to the direct debit';
      termsVersion: string;
      /** Null if agreed to before texts were stored. */
      textHash: string | null;
      payerName: string;
      maskedAccount: string;
      ceiling: Cents;
      tenant: string;
      ip: string;
      userAgent: string;
    }
  | { kind: 'mandate cancelled'; maskedAccount: string }
  | PlannedDebit
  | (Payment & { kind: 'debit submitted'; providerRef: string | null })
  | (Payment & { kind: 'debit cleared'; savings: Cents; club: string })
  | (Payment & { kind: 'debit returned' | 'debit reversed'; code: number | null })
  | (Payment & { kind: 'debit refused'; reason: string | null })
  | (Payment & { kind: 'debit deferred'; reason: DeferralReason })
  | (Payment & { kind: 'debit parked' })
  /** The amount excludes re-presented cents. */
  | (Payment & { kind: 'debit dropped'; because: 'waited three runs' | 'bank data deleted' | 'campaign ended' })
  | { kind: 'round-ups dropped'; amount: Cents; club: string }
  | { kind: 'purchase refunded'; boughtOn: IsoDate; refundedOn: IsoDate; off: Cents }
  | { kind: 'receipt issued'; number: string; firstDay: IsoDate; lastDay: IsoDate; total: Cents }
  | (Payment & { kind: 'deposit planned'; month: string; maskedAccount: string })
  | (PaidOut & { kind: `${PaidOutAs} submitted`; providerRef: string | null })
  | (PaidOut & { kind: `${PaidOutAs} cleared` })
  | (PaidOut & { kind: `${PaidOutAs} ${PaidOutEnd}`; reason: string | null; code: number | null })
  | { kind: 'bank data deleted'; because: string; askedBy: string; accounts: number; roundUps: number; dropped: Cents }
  /** `run` and `soFar` of the pre-debit notice. */
  | {
      kind: 'mail sent' | 'mail given up';
      about: string;
      run: IsoDate | null;
      soFar: Cents | null;
      failure: string | null;
    }
  | { kind: 'noted'; actor: string; action: string; details: Record<string, string | number | boolean | null> };

export interface TimelineEvent {
  /** Sorts the events; an event known only by its day counts as the day's last instant. */
  at: Date;
  /** True if only the day is known, not the time. */
  dayOnly: boolean;
  fact: TimelineFact;
}
