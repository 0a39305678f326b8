import type { Cents } from '@sparechange/domain';
import {
  type PaymentBook,
  resubmitUnanswered,
  type SubmissionDeps,
  type SubmittedPayments,
  submitPayments,
} from '#features/submission/submit-payments.ts';
import type { PaymentTable, UnansweredPayment } from '#features/submission/unanswered-payments.ts';
import type { DirectDebit, PayoutOrder, RefusalCause, Submission } from '#ports/direct-debit.ts';
import { rereadOutcomesFrom } from './rewind-poll-cursor.ts';

export interface PayoutDeps extends SubmissionDeps {
  directDebit: DirectDebit;
}

export interface Payout extends UnansweredPayment {
  amount: Cents;
  submittingAt: Date | null;
}

/** One kind of payout, with its table and its bookings. */
export interface PayoutBook<Row extends Payout> {
  /** Lock name; one program at a time holds the lock. */
  lock: string;
  table: PaymentTable;
  /** Lists submissions without a conclusive answer that are due again. */
  listDue(limit: number): Promise<Row[]>;
  /** Finds one that is being submitted, parked or not. */
  findSubmitting(id: string): Promise<Row | undefined>;
  /** Takes planned payouts to submit them, in one committed step; from here on they may be at the provider. */
  claim(limit: number): Promise<Row[]>;
  /** Claims again those the provider lacks, for the current account. */
  claimAgain(rows: Row[]): Promise<Row[]>;
  /** Throws when the payee's account can not be read. */
  orderOf(row: Row): PayoutOrder;
  /** Answers false when somebody else has recorded it. */
  recordAccepted(row: Row, providerRef: string): Promise<boolean>;
  recordRefused(row: Row, reason: string, cause: RefusalCause | undefined): Promise<boolean>;
}

/** Submits everything planned, exactly as debits are. */
export const submitPayouts = <Row extends Payout>(
  deps: PayoutDeps,
  book: PayoutBook<Row>,
): Promise<SubmittedPayments> => submitPayments(deps, paymentBook(deps, book));

/** Asks the provider again for payouts without a conclusive answer. */
export const resubmitPayouts = <Row extends Payout>(
  deps: PayoutDeps,
  book: PayoutBook<Row>,
): Promise<SubmittedPayments> => resubmitUnanswered(deps, paymentBook(deps, book));

export const paymentBook = <Row extends Payout>(
  { db, directDebit }: PayoutDeps,
  book: PayoutBook<Row>,
): PaymentBook<Row> => ({
  lock: book.lock,
  table: book.table,
  listDue: book.listDue,
  findSubmitting: book.findSubmitting,
  claimNext: async (limit) => {
    const claimed = await book.claim(limit);
    return claimed.length > 0 ? claimed : undefined;
  },
  find: async (row) => {
    const order = readOrder(book, row);
    return 'reference' in order ? directDebit.findPayout(order) : undefined;
  },
  claimAgain: book.claimAgain,
  submit: (rows) =>
    submitReadable(
      directDebit,
      rows.map((row) => readOrder(book, row)),
    ),
  recordAccepted: async (accepted) => {
    const recorded: Row[] = [];
    for (const { row, providerRef, wasFound } of accepted) {
      // A payment that was found may have settled long ago, when nobody knew whose it was.
      if (wasFound) await rereadOutcomesFrom(db, row.submittingAt);
      if (await book.recordAccepted(row, providerRef)) recorded.push(row);
    }
    return recorded;
  },
  recordRefused: (row, { reason, cause }) => book.recordRefused(row, reason, cause),
});

function readOrder<Row extends Payout>(book: PayoutBook<Row>, row: Row): PayoutOrder | Submission {
  try {
    return book.orderOf(row);
  } catch (error) {
    const reason = `the account can not be read: ${(error as Error).message}`;
    return { id: row.id, result: 'refused', cause: 'account_invalid', reason };
  }
}

/** Submits readable orders and refuses those with unreadable accounts. */
async function submitReadable(directDebit: DirectDebit, read: (PayoutOrder | Submission)[]): Promise<Submission[]> {
  const orders = read.filter((each) => 'reference' in each);
  const unreadable = read.filter((each) => 'result' in each);
  const answers = orders.length > 0 ? await directDebit.submitPayouts(orders) : [];
  return [...unreadable, ...answers];
}
