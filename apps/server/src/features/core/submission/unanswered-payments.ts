import { afterFailedTry, retryPlans } from '@sparechange/domain/retry-plan';
import type { Db } from '#db/connect.ts';
import { type DueColumns, startAgain } from '#db/due-work.ts';

/** Tables of payments, with the columns of an attempt. */
export type PaymentTable = 'debits' | 'deposits' | 'remittances' | 'repayments';

/** Columns by which payments are tried again and parked. They are not claimed: one process submits a kind at a time. */
const duePayments = {
  key: ['id'],
  dueAt: 'next_attempt_at',
  parkedAt: 'parked_at',
  tries: 'attempts',
  failingSince: 'unknown_since',
} satisfies DueColumns;

export interface UnansweredPayment {
  id: string;
  /** Supporter of a payment; a club's has none. */
  supporterId?: string | undefined;
  /** Tries without a conclusive answer. */
  attempts: number;
  /** The first inconclusive answer; null while there is none. */
  unknownSince: Date | null;
  submittingAt: Date | null;
}

export const unansweredColumns = (db: Db, table: string) => db`
  ${db(table)}.attempts, ${db(table)}.unknown_since as "unknownSince", ${db(table)}.submitting_at as "submittingAt"`;

/** Selects unparked submissions that may be retried now. */
export const isDueAgain = (db: Db, table: string, now: Date) => db`
  ${db(table)}.state = 'submitting' and ${db(table)}.parked_at is null
    and coalesce(${db(table)}.next_attempt_at <= ${now}, true)`;

/** Selects one payment that is being submitted, parked or not. */
export const isSubmitting = (db: Db, table: string, id: string) => db`
  ${db(table)}.state = 'submitting' and ${db(table)}.id = ${id}`;

/** Key of a payment; a club's has no supporter. */
export type PaymentKey = Pick<UnansweredPayment, 'id' | 'supporterId'>;

export const isItself = (db: Db, table: string, { id, supporterId }: PaymentKey) =>
  supporterId
    ? db`${db(table)}.supporter_id = ${supporterId} and ${db(table)}.id = ${id}`
    : db`${db(table)}.id = ${id}`;

/**
 * Records an inconclusive answer: when the payment is retried, or that it is parked. If an operator has parked it
 * since, it stays parked.
 */
export async function recordInconclusive(
  db: Db,
  table: PaymentTable,
  payment: UnansweredPayment,
  now: Date,
  answer: string,
): Promise<void> {
  const failed = { tries: payment.attempts, failingSince: payment.unknownSince };
  const next = afterFailedTry(retryPlans.payment, failed, now);
  await db`
    update ${db(table)} set attempts = ${next.tries}, unknown_since = ${next.failingSince},
      next_attempt_at = ${next.nextTryAt}, parked_at = coalesce(parked_at, ${next.parkedAt}::timestamptz), last_answer = ${answer}
    where ${isItself(db, table, payment)} and state = 'submitting'`;
}

/** Postpones a payment without a call or a counted attempt. */
export async function postpone(db: Db, table: PaymentTable, payment: PaymentKey, until: Date): Promise<void> {
  await db`
    update ${db(table)} set next_attempt_at = ${until} where ${isItself(db, table, payment)} and state = 'submitting'`;
}

/** Lets a payment be retried from the start, as if it had never been answered; returns whether there was one. */
export async function unpark(db: Db, table: PaymentTable, payment: PaymentKey) {
  const changed = await db`
    update ${db(table)} set ${startAgain(db, duePayments, null)}
    where ${isItself(db, table, payment)} and state = 'submitting'`;
  return changed.count === 1;
}

/** Parks a payment being submitted; one already parked is unchanged. */
export async function park(db: Db, table: PaymentTable, payment: PaymentKey, now: Date) {
  const changed = await db`
    update ${db(table)} set parked_at = coalesce(parked_at, ${now}), unknown_since = coalesce(unknown_since, ${now})
    where ${isItself(db, table, payment)} and state = 'submitting'`;
  return changed.count === 1;
}

/**
 * Moves the start of the next poll back to this instant at the latest. An order found at the provider after a crash may
 * have settled before we knew its reference, earlier than a poll reads.
 */
export async function rereadOutcomesFrom(db: Db, instant: Date | null): Promise<void> {
  if (!instant) return;
  await db`update poll_cursors set read_until = least(read_until, ${instant}) where name = 'outcomes'`;
}
