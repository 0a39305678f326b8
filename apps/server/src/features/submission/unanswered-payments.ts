import { afterInconclusive, type Unanswered } from '@sparechange/domain/resubmission';
import type { Db } from '#db/connect.ts';

/** Tables that hold payments, with the columns of migration 0020. */
export type PaymentTable = 'debits' | 'deposits' | 'remittances' | 'repayments';

export interface UnansweredPayment extends Unanswered {
  id: string;
  /** The supporter of a payment; a club's has none. */
  supporterId?: string | undefined;
}

export const unansweredColumns = (db: Db, table: string) => db`
  ${db(table)}.attempts, ${db(table)}.unknown_since as "unknownSince"`;

/** Selects unparked submissions that may be asked for again now. */
export const isDueAgain = (db: Db, table: string, now: Date) => db`
  ${db(table)}.state = 'submitting' and ${db(table)}.parked_at is null
    and coalesce(${db(table)}.next_attempt_at <= ${now}, true)`;

/** Selects one payment that is being submitted, parked or not. */
export const isSubmitting = (db: Db, table: string, id: string) => db`
  ${db(table)}.state = 'submitting' and ${db(table)}.id = ${id}`;

const itself = (db: Db, { id, supporterId }: Pick<UnansweredPayment, 'id' | 'supporterId'>) =>
  supporterId ? db`supporter_id = ${supporterId} and id = ${id}` : db`id = ${id}`;

/** Records an inconclusive answer: when the payment is asked for again, or that it is parked from now on. */
export async function recordInconclusive(
  db: Db,
  table: PaymentTable,
  payment: UnansweredPayment,
  now: Date,
  answer: string,
): Promise<void> {
  const next = afterInconclusive(payment, now);
  await db`
    update ${db(table)} set attempts = ${next.attempts}, unknown_since = ${next.unknownSince},
      next_attempt_at = ${next.nextAttemptAt}, parked_at = ${next.parkedAt}, last_answer = ${answer}
    where ${itself(db, payment)} and state = 'submitting'`;
}

/** Postpones a payment without asking, so no attempt is counted. */
export async function postpone(db: Db, table: PaymentTable, payment: UnansweredPayment, until: Date): Promise<void> {
  await db`
    update ${db(table)} set next_attempt_at = ${until} where ${itself(db, payment)} and state = 'submitting'`;
}

/** Lets a payment be asked for again from the start, as if it had never been answered; says whether there was one. */
export async function unpark(db: Db, table: PaymentTable, payment: Pick<UnansweredPayment, 'id' | 'supporterId'>) {
  const changed = await db`
    update ${db(table)} set parked_at = null, unknown_since = null, attempts = 0, next_attempt_at = null
    where ${itself(db, payment)} and state = 'submitting'`;
  return changed.count === 1;
}

/** Parks a payment being submitted; one parked already stays so. */
export async function park(
  db: Db,
  table: PaymentTable,
  payment: Pick<UnansweredPayment, 'id' | 'supporterId'>,
  now: Date,
) {
  const changed = await db`
    update ${db(table)} set parked_at = coalesce(parked_at, ${now}), unknown_since = coalesce(unknown_since, ${now})
    where ${itself(db, payment)} and state = 'submitting'`;
  return changed.count === 1;
}
