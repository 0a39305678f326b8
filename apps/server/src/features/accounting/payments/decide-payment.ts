import { type Actor, appendOperatorsAct, appendToAuditLog } from '#audit/audit-log.ts';
import type { Db, Pool } from '#db/connect.ts';
import { inTurn } from '#db/in-each-bucket.ts';
import { Conflict, NotFound } from '#errors.ts';
import { debitKind, resubmitDebits, type SubmitDeps } from '#features/collections/debits/submit-debits.ts';
import type { PayoutDeps } from '#features/core/payouts/payout-kind.ts';
import { asPaymentKind, resubmitPayouts, submitPayouts } from '#features/core/payouts/submit-payouts.ts';
import type { Payment, PaymentKind } from '#features/core/submission/payment-kind.ts';
import { whileNotSubmitting } from '#features/core/submission/submit-payments.ts';
import { park, unpark } from '#features/core/submission/unanswered-payments.ts';
import { resubmitRemittances } from '#features/disbursements/remittances/remit-to-clubs.ts';
import { remittanceKind } from '#features/disbursements/remittances/remittance-kind.ts';
import { repaymentKind } from '#features/disbursements/repayments/repayment-kind.ts';
import { depositKind } from '#features/disbursements/savings/deposit-kind.ts';
import { ProviderRefused, ProviderUnavailable } from '#ports/errors.ts';
import { countUnanswered, listParked } from './parked-payments.ts';
import { listPayments, type PaymentRecord, shortestReference, tableOf } from './payment-repository.ts';

export type ResubmitDeps = SubmitDeps & PayoutDeps;

/** Names the person who decides, where one does. */
export type DecidingDeps = ResubmitDeps & { by?: Actor | undefined };

/** Retries due payments of any kind without a conclusive answer. */
export async function resubmitPayments(deps: ResubmitDeps): Promise<void> {
  const kinds = [
    () => resubmitDebits(deps),
    () => resubmitPayouts(deps, depositKind),
    () => resubmitRemittances(deps),
    () => submitPayouts(deps, repaymentKind), // refunds are sent immediately, so planned ones were left by a crash
  ];
  await inTurn<() => Promise<unknown>, unknown>(kinds, (resubmit) => resubmit());
}

/**
 * Finds the one payment with this reference, its first nine letters or this id. Throws if there is none, or several.
 */
export async function findPayment(db: ResubmitDeps['db'], text: string): Promise<PaymentRecord> {
  if (!text.includes('.') && text.length < shortestReference)
    throw new Conflict(`A reference has at least ${shortestReference} letters.`);
  const [payment, another] = await listPayments(db, text, 2);
  if (!payment) throw new NotFound(`A payment ${text}`);
  if (another) throw new Conflict(`${text} names several payments, ${payment.reference} and ${another.reference}.`);
  return payment;
}

/** Returns the database of the payment: its supporter's bucket, or control for a club's. */
const placeOf = ({ db }: ResubmitDeps, { supporterId }: PaymentRecord): Pool => (supporterId ? db.of(supporterId) : db);

/**
 * Records "operator" in a supporter's own log; the person is in the operators' log
 * (docs/decisions/console.md#acts-of-support).
 */
function note(tx: Db, deps: DecidingDeps, payment: PaymentRecord, action: string, because?: string): Promise<void> {
  const { supporterId, id, reference } = payment;
  const act = { at: deps.clock.now(), action, details: { payment: id, reference, ...(because ? { because } : {}) } };
  return supporterId
    ? appendToAuditLog(tx, { ...act, supporterId, actor: 'operator' })
    : appendOperatorsAct(tx, { ...act, by: deps.by });
}

/** Lets a payment be retried, and records it; returns false if there is nothing to retry. */
function unparkAndNote(deps: DecidingDeps, payment: PaymentRecord): Promise<boolean> {
  const supporterId = payment.supporterId ?? undefined;
  return placeOf(deps, payment).begin(async (tx) => {
    const isUnparked = await unpark(tx, tableOf[payment.kind], { id: payment.id, supporterId });
    if (isUnparked) await note(tx, deps, payment, 'payment retried');
    return isUnparked;
  });
}

/**
 * Retries a payment immediately and from the start, even while the breaker is open. Returns false if there is nothing
 * to retry.
 */
export async function retryPayment(deps: DecidingDeps, payment: PaymentRecord): Promise<boolean> {
  if (!(await unparkAndNote(deps, payment))) return false;
  await resubmitPayments({ ...deps, isAskedByPerson: true });
  return true;
}

export const maxRetried = 1_000;

/**
 * Retries parked payments after a provider outage, up to a limit; returns their number, and how many are left parked.
 */
export async function retryParked(deps: DecidingDeps, most = maxRetried): Promise<{ retried: number; left: number }> {
  const parked = await listParked(deps.db, most);
  const steps = [
    ...parked.map(
      ({ id }) =>
        async () =>
          void (await unparkAndNote(deps, await findPayment(deps.db, id))),
    ),
    () => resubmitPayments({ ...deps, isAskedByPerson: true }),
  ];
  await inTurn(steps, (step) => step());
  const left = (await countUnanswered(deps.db)).reduce((sum, kind) => sum + kind.parked, 0);
  return { retried: parked.length, left };
}

/** Stops retries of a payment without a conclusive answer. Throws for one that is not being submitted. */
export async function parkPayment(deps: DecidingDeps, payment: PaymentRecord, because: string): Promise<void> {
  const supporterId = payment.supporterId ?? undefined;
  await placeOf(deps, payment).begin(async (tx) => {
    if (!(await park(tx, tableOf[payment.kind], { id: payment.id, supporterId }, deps.clock.now())))
      throw new Conflict(
        `The ${payment.kind} ${payment.reference} is ${payment.state}; only one being submitted is parked.`,
      );
    await note(tx, deps, payment, 'payment parked', because);
  });
}

/** Minutes in which the provider may still carry out and list a call that timed out. */
const minutesUnderWay = 10;

/**
 * Gives up a payment that the provider does not have: it is booked as refused, and its money goes with the next run or
 * back to its owner. Throws if the provider has it or may still get it, or, without force, cannot be asked or was sent
 * it just now.
 */
export async function failPayment(
  deps: DecidingDeps,
  payment: PaymentRecord,
  because: string,
  force = false,
): Promise<boolean> {
  if (payment.state === 'refused') return false;
  const failed = await withKind(deps, payment, (kind) =>
    whileNotSubmitting(deps.db, kind, () => failIn(deps, kind, payment, because, force)),
  );
  if (failed === undefined) throw new Conflict('It is being submitted right now; try again in a minute.');
  return failed;
}

function withKind<Result>(
  deps: ResubmitDeps,
  payment: PaymentRecord,
  act: <Row extends Payment>(kind: PaymentKind<Row>) => Promise<Result>,
): Promise<Result> {
  const { kind } = payment;
  const db = placeOf(deps, payment);
  if (kind === 'deposit') return act(asPaymentKind({ ...deps, db }, depositKind));
  if (kind === 'remittance') return act(asPaymentKind({ ...deps, db }, remittanceKind));
  if (kind === 'repayment') return act(asPaymentKind({ ...deps, db }, repaymentKind));
  return act(debitKind(deps, db));
}

async function failIn<Row extends Payment>(
  deps: DecidingDeps,
  kind: PaymentKind<Row>,
  payment: PaymentRecord,
  because: string,
  force: boolean,
): Promise<boolean> {
  const { reference, state } = payment;
  const row = await kind.findSubmitting(payment.id);
  if (!row)
    throw new Conflict(`The ${payment.kind} ${reference} is ${state}; only one being submitted can be given up.`);
  const providerRef = await kind.find(row).catch((error: unknown) => {
    if (!(error instanceof ProviderUnavailable || error instanceof ProviderRefused)) throw error;
    if (!force)
      throw new Conflict(
        `${error.message}. Whether it has ${reference} is not known; only by force is it given up all the same.`,
      );
    return undefined;
  });
  if (providerRef)
    throw new Conflict(`The provider has ${reference} as ${providerRef}; trying it again takes note of it.`);
  const sentAt = row.submittingAt?.getTime() ?? 0;
  if (!force && deps.clock.now().getTime() - sentAt < minutesUnderWay * 60_000)
    throw new Conflict(
      `${reference} was sent less than ${minutesUnderWay} minutes ago and may still reach the provider; try again later.`,
    );
  return kind.recordRefused(row, {
    cause: undefined,
    decidedBy: 'operator',
    reason: `given up by an operator: ${because}`,
    alsoRecord: (tx) => note(tx, deps, payment, 'payment failed', because),
  });
}
