import type { IsoDate, ReturnCode } from '@sparechange/domain';
import type { PayoutFailure } from '@sparechange/domain/failed-payout';
import type { PaymentState } from '@sparechange/domain/payment-outcome';
import type { Db, Statement } from '#db/connect.ts';
import type { Payment } from '#features/core/submission/payment-kind.ts';
import type { SubmissionDeps } from '#features/core/submission/submit-payments.ts';
import type { PaymentTable } from '#features/core/submission/unanswered-payments.ts';
import type { Clock } from '#ports/clock.ts';
import type { DirectDebit, PayoutOrder, RefusalCause } from '#ports/direct-debit.ts';
import type { FieldEncryption } from '#secrets/field-encryption.ts';

export type PayoutState = Exclude<PaymentState, 'deferred'>;

/** States of a valid payout: under way, or arrived. */
export const effectiveStates: readonly PayoutState[] = ['planned', 'submitting', 'submitted', 'cleared'];

/** End of a payout, or its reversal after clearing. */
export type PayoutEnd = 'refused' | 'cleared' | 'returned' | 'reversed';

export interface Payout extends Payment {
  clubId: string;
  reference: string;
  state: PayoutState;
}

export interface PayoutDeps extends SubmissionDeps {
  directDebit: DirectDebit;
  encryption: FieldEncryption;
  statementName: string;
  mailFrom: string;
}

/** Reason why a payout failed: a return's code, or the provider's reason for refusing. */
export interface PayoutFault {
  code?: ReturnCode | undefined;
  cause?: RefusalCause | undefined;
}

/** Returns the condition for making a failed payout again. */
export const failureOf = ({ code, cause }: PayoutFault): PayoutFailure =>
  code ?? (cause === 'account_invalid' ? cause : 'refused');

/** Part of a statement in which the payout's row is named `payout`. */
type Part = Statement<readonly unknown[]>;

/** One kind of payout: its rows, payee and bookings. */
export interface PayoutKind<Row extends Payout> {
  name: 'deposit' | 'remittance' | 'repayment';
  table: Exclude<PaymentTable, 'debits'>;
  /** Selects the columns of `Row` besides those of every payout. */
  columns(db: Db): Part;
  /** Joins tables that the other parts read. */
  joins(db: Db): Part;
  /** Selects payouts whose payee can be paid; others wait. */
  isPayable(db: Db, now: Date): Part;
  order(db: Db): Part;
  /**
   * Returns true for an unanswered payout whose payee accepts nothing before a later day: until then it is only looked
   * up.
   */
  isHeld?(row: Row, day: IsoDate): boolean;
  /** Names the payee's columns that a payout stores when taken, and their assignments from `next`. */
  kept?(db: Db, now: Date): { columns: Part; assignments: Part };
  /** Locks rows that other transactions lock before the payout. */
  lockBefore?(tx: Db, row: Row): Promise<unknown>;
  /** Throws if the payee's account cannot be read. */
  payeeOf(deps: PayoutDeps, row: Row): Pick<PayoutOrder, 'name' | 'email' | 'bsb' | 'accountNumber'>;
  /** Runs after the provider accepts, in the same transaction. */
  afterAccepted?(tx: Db, clock: Clock, row: Row): Promise<void>;
  /** Books an end and its consequences in the transaction that records it. */
  book(tx: Db, clock: Clock, row: Row, end: PayoutEnd, fault: PayoutFault): Promise<void>;
}
