import { bankingDayOnOrAfter } from '@sparechange/domain/banking-calendar';
import type { Accepted, PaymentKind, Refusal } from '#features/core/submission/payment-kind.ts';
import type { SubmittedPayments } from '#features/core/submission/submit-batch.ts';
import { resubmitUnanswered, submitPayments } from '#features/core/submission/submit-payments.ts';
import { today } from '#ports/clock.ts';
import type { DirectDebit, PayoutOrder, Submission } from '#ports/direct-debit.ts';
import { KeyNotConfigured } from '#secrets/field-encryption.ts';
import type { Payout, PayoutDeps, PayoutKind } from './payout-kind.ts';
import { findSubmitting, listDue, lockPayout, movePayout, takeAgain, takePlanned } from './payout-repository.ts';

/** Submits all planned payouts of a kind, like debits. */
export const submitPayouts = <Row extends Payout>(
  deps: PayoutDeps,
  kind: PayoutKind<Row>,
): Promise<SubmittedPayments> => submitPayments(deps, inBuckets(deps, kind));

/** Asks the provider again for payouts without a conclusive answer. */
export const resubmitPayouts = <Row extends Payout>(
  deps: PayoutDeps,
  kind: PayoutKind<Row>,
): Promise<SubmittedPayments> => resubmitUnanswered(deps, inBuckets(deps, kind));

/** Returns the kind in every bucket; control pays clubs. */
function inBuckets<Row extends Payout>(deps: PayoutDeps, kind: PayoutKind<Row>): PaymentKind<Row>[] {
  const submission = { mayPay: true };
  const places = kind.table === 'remittances' ? [deps.db] : deps.db.inBuckets();
  return places.map((db) => asPaymentKind({ ...deps, db }, kind, submission));
}

/**
 * Returns the payouts of a kind; `submission` is shared by buckets, and stops once the provider refuses our payments in
 * general.
 */
export function asPaymentKind<Row extends Payout>(
  deps: PayoutDeps,
  kind: PayoutKind<Row>,
  submission = { mayPay: true },
): PaymentKind<Row> {
  const { db, clock, directDebit } = deps;
  return {
    db,
    table: kind.table,
    listDue: (limit) => listDue(db, kind, clock.now(), limit),
    findSubmitting: (id) => findSubmitting(db, kind, id),
    takeNext: async (limit) => {
      const taken = await takePlanned(db, kind, clock.now(), limit);
      return taken.length > 0 ? taken : undefined;
    },
    find: (row) => directDebit.findPayout(row), // by reference only: the payee may no longer be readable
    isHeld: (row) => kind.isHeld?.(row, today(clock)) ?? false,
    takeAgain: (rows) => takeAgain(db, kind, clock.now(), rows),
    submit: (rows) =>
      submitReadable(
        directDebit,
        rows.map((row) => readOrder(deps, kind, row)),
      ),
    recordAccepted: async (accepted) => {
      const recorded: Row[] = [];
      for (const each of accepted) if (await accept(deps, kind, each)) recorded.push(each.row);
      return recorded;
    },
    mayGoOn: () => submission.mayPay,
    recordRefused: (row, refusal) => {
      if (refusal.cause === 'not_permitted') submission.mayPay = false;
      return refuse(deps, kind, row, refusal);
    },
  };
}

function accept<Row extends Payout>(
  { db, clock }: PayoutDeps,
  kind: PayoutKind<Row>,
  { row, providerRef }: Accepted<Row>,
): Promise<boolean> {
  return db.begin(async (tx) => {
    const facts = { at: clock.now(), providerRef };
    if (!(await movePayout(tx, kind, row, 'submitting', 'submitted', facts))) return false;
    await kind.afterAccepted?.(tx, clock, row);
    return true;
  });
}

function refuse<Row extends Payout>(
  { db, clock }: PayoutDeps,
  kind: PayoutKind<Row>,
  row: Row,
  { reason: failure, cause, alsoRecord }: Refusal,
): Promise<boolean> {
  return db.begin(async (tx) => {
    await kind.lockBefore?.(tx, row);
    const payout = await lockPayout(tx, kind, row);
    if (!payout || !(await movePayout(tx, kind, payout, 'submitting', 'refused', { at: clock.now(), failure })))
      return false;
    await kind.book(tx, clock, payout, 'refused', { cause });
    await alsoRecord?.(tx);
    return true;
  });
}

function readOrder<Row extends Payout>(
  deps: PayoutDeps,
  kind: PayoutKind<Row>,
  row: Row,
): PayoutOrder | Exclude<Submission, { result: 'accepted' }> {
  const { id, amount, reference } = row;
  const dueOn = bankingDayOnOrAfter(today(deps.clock));
  try {
    return { id, ...kind.payeeOf(deps, row), amount, remitter: deps.statementName, reference, dueOn };
  } catch (error) {
    const reason = `the account cannot be read: ${(error as Error).message}`;
    if (error instanceof KeyNotConfigured) return { id, result: 'unknown', reason, isOurs: true }; // else every payee would be asked for another
    return { id, result: 'refused', cause: 'account_invalid', reason, isOurs: true };
  }
}

/** Submits the readable orders; the others have their answer. */
async function submitReadable(directDebit: DirectDebit, read: ReturnType<typeof readOrder>[]): Promise<Submission[]> {
  const orders = read.filter((each) => 'reference' in each);
  const unreadable = read.filter((each) => 'result' in each);
  const answers = orders.length > 0 ? await directDebit.submitPayouts(orders) : [];
  return [...unreadable, ...answers];
}
