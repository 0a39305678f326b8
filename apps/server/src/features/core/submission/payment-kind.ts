import type { Cents } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import type { RefusalCause, Submission } from '#ports/direct-debit.ts';
import type { PaymentTable, UnansweredPayment } from './unanswered-payments.ts';

export interface Payment extends UnansweredPayment {
  amount: Cents;
}

/** Reason why a payment is booked as refused. */
export interface Refusal {
  reason: string;
  /** The provider's reason; absent if we gave the payment up. */
  cause: RefusalCause | undefined;
  /** Given up by an operator or the timetable; absent if the provider refused it. */
  decidedBy?: 'operator' | 'timetable';
  /** Records in the same transaction who gave it up. */
  alsoRecord?: (tx: Db) => Promise<void>;
}

/** A payment that the provider has. */
export interface Accepted<Row> {
  row: Row;
  providerRef: string;
}

/** A kind of payment in a bucket, or of clubs in control: its rows, provider calls and bookings. */
export interface PaymentKind<Row extends Payment> {
  db: Db;
  table: PaymentTable;
  /** Lists submissions without a conclusive answer that are due again. */
  listDue(limit: number): Promise<Row[]>;
  /** Finds a payment being submitted, parked or not. */
  findSubmitting(id: string): Promise<Row | undefined>;
  /**
   * Takes the next planned payments in one committed step; returns undefined at the end. From here on the provider may
   * have them.
   */
  takeNext(limit: number): Promise<Row[] | undefined>;
  /** Looks a payment up at the provider; returns its reference. */
  find(row: Row): Promise<string | undefined>;
  /** Returns false once the whole submission must stop. */
  mayGoOn?(): boolean;
  /** Returns whether a payment must not be resubmitted yet. */
  isHeld?(row: Row): boolean;
  /** Returns, by id, why payments that the provider lacks may no longer be sent; they are given up. */
  findLapsed?(rows: Row[]): Promise<Map<string, string>>;
  /**
   * Prepares payments that the provider lacks for resending; returns those that may be sent, with their current
   * details.
   */
  takeAgain(rows: Row[]): Promise<Row[]>;
  submit(rows: Row[]): Promise<Submission[]>;
  /** Records all in one step; returns those not recorded before. */
  recordAccepted(accepted: Accepted<Row>[]): Promise<Row[]>;
  /** Returns false if another process has recorded it. */
  recordRefused(row: Row, refusal: Refusal): Promise<boolean>;
}
