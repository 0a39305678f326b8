import { add, type Cents } from '@sparechange/domain';
import { type Pauses, pauseAfter, retryPlans } from '@sparechange/domain/retry-plan';
import type { Pool } from '#db/connect.ts';
import type { PaymentBreaker } from '#features/core/breakers/payment-breaker.ts';
import type { Clock } from '#ports/clock.ts';
import type { Submission } from '#ports/direct-debit.ts';
import { NoFreeTurn, ProviderRefused, ProviderUnavailable } from '#ports/errors.ts';
import type { Accepted, Payment, PaymentKind, Refusal } from './payment-kind.ts';
import { postpone, recordInconclusive, rereadOutcomesFrom } from './unanswered-payments.ts';

export interface SubmittedPayments {
  submitted: number;
  totalCents: Cents;
  /** Refused payments with the provider's reasons, for the operator. */
  refused: { id: string; cents: Cents; reason: string }[];
  /** Payments without a conclusive answer; retried with a growing pause. */
  unknown: number;
  /** Set if too many inconclusive calls stopped the submission early. */
  stopped?: string;
  /** Set if another submission had the turn: nothing was done. */
  isBusy?: true;
}

/** A batch's kind, and the state that all batches share. */
export interface BatchContext<Row extends Payment> {
  deps: { db: Pool; clock: Clock };
  kind: PaymentKind<Row>;
  report: SubmittedPayments;
  breaker: PaymentBreaker;
  /** Refusals that could not be booked, thrown at the end. */
  failures: unknown[];
}

/**
 * Looks payments up at the provider and records those found; returns the others, or none once the provider stops
 * answering.
 */
export async function recordKnown<Row extends Payment>(context: BatchContext<Row>, rows: Row[]): Promise<Row[]> {
  const missing: Row[] = [];
  for (const row of rows) {
    if (context.breaker.isOpen) return [];
    if ((await lookUp(context, row)) === 'missing') missing.push(row);
  }
  return missing;
}

async function lookUp<Row extends Payment>(
  context: BatchContext<Row>,
  row: Row,
): Promise<'found' | 'missing' | 'unknown'> {
  const { deps, kind, breaker } = context;
  try {
    const providerRef = await kind.find(row);
    if (!providerRef) return 'missing';
    breaker.record(false);
    await rereadOutcomesFrom(deps.db, row.submittingAt); // it may have settled before its reference was known here
    await recordAccepted(context, [{ row, providerRef }]);
    await rereadOutcomesFrom(deps.db, row.submittingAt); // a poll may have passed before the reference was saved
    return 'found';
  } catch (error) {
    if (!(error instanceof ProviderUnavailable || error instanceof ProviderRefused)) throw error;
    if (!(error instanceof NoFreeTurn)) breaker.record(true);
    await recordUnanswered(context, row, error.message);
    return 'unknown';
  }
}

/** Sends a batch to the provider and records each answer. */
export async function submitBatch<Row extends Payment>(context: BatchContext<Row>, rows: Row[]): Promise<void> {
  if (rows.length === 0) return;
  const byId = new Map((await answersTo(context, rows)).map((answer) => [answer.id, answer]));
  const accepted: Accepted<Row>[] = [];
  for (const row of rows) {
    const answer = byId.get(row.id) ?? { id: row.id, result: 'unknown', reason: 'no answer for it' };
    if (answer.result === 'accepted') {
      context.breaker.record(false);
      accepted.push({ row, providerRef: answer.providerRef });
    } else await recordRefusedOrUnknown(context, row, answer);
  }
  await recordAccepted(context, accepted);
}

/**
 * Records a batch in one step; if that fails, one by one, so that a payment we cannot book does not block the others.
 */
async function recordAccepted<Row extends Payment>(
  context: BatchContext<Row>,
  accepted: Accepted<Row>[],
): Promise<void> {
  const { kind, report } = context;
  if (accepted.length === 0) return;
  try {
    for (const { amount } of await kind.recordAccepted(accepted)) {
      report.submitted += 1;
      report.totalCents = add(report.totalCents, amount);
    }
  } catch (error) {
    if (accepted.length > 1) {
      for (const each of accepted) await recordAccepted(context, [each]);
      return;
    }
    for (const { row } of accepted)
      await recordUnanswered(context, row, `it is at the provider and cannot be booked: ${(error as Error).message}`);
  }
}

async function answersTo<Row extends Payment>({ kind }: BatchContext<Row>, rows: Row[]): Promise<Submission[]> {
  try {
    return await kind.submit(rows);
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error;
    return rows.map(({ id }) => ({ id, result: 'unknown', reason: error.message }));
  }
}

/** Records the refused payments. */
async function recordRefusedOrUnknown<Row extends Payment>(
  context: BatchContext<Row>,
  row: Row,
  answer: Exclude<Submission, { result: 'accepted' }>,
): Promise<void> {
  const { breaker, report } = context;
  if (answer.result === 'unknown' && answer.isUnsent) {
    report.unknown += 1;
    return putOff(context, row, retryPlans.unsentPayment);
  }
  if (!answer.isOurs) breaker.record(answer.result === 'unknown');
  if (answer.result === 'unknown') return recordUnanswered(context, row, answer.reason);
  await recordRefused(context, row, answer);
}

/** Books a payment as refused; one that we cannot book does not block the others. */
export async function recordRefused<Row extends Payment>(
  context: BatchContext<Row>,
  row: Row,
  refusal: Refusal,
): Promise<void> {
  const { kind, report, failures } = context;
  const { reason } = refusal;
  try {
    if (await kind.recordRefused(row, refusal)) report.refused.push({ id: row.id, cents: row.amount, reason });
  } catch (error) {
    failures.push(error);
    await recordUnanswered(context, row, `it is refused and cannot be booked: ${(error as Error).message}`);
  }
}

/** Leaves a payment for later. */
export function putOff<Row extends Payment>({ deps, kind }: BatchContext<Row>, row: Row, plan: Pauses): Promise<void> {
  return postpone(kind.db, kind.table, row, new Date(deps.clock.now().getTime() + pauseAfter(plan, 1)));
}

/** Records that an attempt had no conclusive answer, and why. */
export async function recordUnanswered<Row extends Payment>(
  { deps, kind, report }: BatchContext<Row>,
  row: Row,
  answer: string,
): Promise<void> {
  report.unknown += 1;
  await recordInconclusive(kind.db, kind.table, row, deps.clock.now(), answer);
}
