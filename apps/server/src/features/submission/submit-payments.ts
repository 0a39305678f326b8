import { add, type Cents, noCents } from '@sparechange/domain';
import { type CircuitBreaker, circuitBreaker } from '@sparechange/domain/circuit-breaker';
import type { Pool } from '#db/connect.ts';
import { withSessionLock } from '#db/session-lock.ts';
import { Unavailable } from '#errors.ts';
import type { Clock } from '#ports/clock.ts';
import type { RefusalCause, Submission } from '#ports/direct-debit.ts';
import { ProviderRefused, ProviderUnavailable } from '#ports/errors.ts';
import {
  type PaymentTable,
  postpone,
  recordInconclusive,
  rereadOutcomesFrom,
  type UnansweredPayment,
} from './unanswered-payments.ts';

export interface Payment extends UnansweredPayment {
  amount: Cents;
}

/** Why a payment is booked as refused; without a cause an operator has given it up, not the provider refused it. */
export interface Refusal {
  reason: string;
  cause: RefusalCause | undefined;
}

/** A payment that the provider has. */
export interface Accepted<Row> {
  row: Row;
  providerRef: string;
}

/** One kind of payment: its rows, provider calls and bookings. */
export interface PaymentBook<Row extends Payment> {
  /** Lock name; one program at a time holds the lock. */
  lock: string;
  table: PaymentTable;
  /** Lists submissions without a conclusive answer that are due again. */
  listDue(limit: number): Promise<Row[]>;
  /** Finds one that is being submitted, parked or not. */
  findSubmitting(id: string): Promise<Row | undefined>;
  /** Takes the next planned payments in one committed step; undefined at the end. From here on they may be at the provider. */
  takeNext(limit: number): Promise<Row[] | undefined>;
  /** Looks a payment up at the provider; answers its reference. */
  find(row: Row): Promise<string | undefined>;
  /** Returns false once sending must stop, whatever the single answers. */
  mayGoOn?(): boolean;
  /** Returns whether we hold back a payment's resubmission for now. */
  isHeld?(row: Row): boolean;
  /** Takes again what the provider has not; answers those that can be sent, as they are to be sent now. */
  takeAgain(rows: Row[]): Promise<Row[]>;
  submit(rows: Row[]): Promise<Submission[]>;
  /** Records all in one step; returns those not recorded before. */
  recordAccepted(accepted: Accepted<Row>[]): Promise<Row[]>;
  /** Answers false when somebody else has recorded it. */
  recordRefused(row: Row, refusal: Refusal): Promise<boolean>;
}

export interface SubmittedPayments {
  submitted: number;
  totalCents: Cents;
  /** Payments the provider refused and why, for the operator. */
  refused: { id: string; cents: Cents; reason: string }[];
  /** Without a conclusive answer; asked again with a growing pause. */
  unknown: number;
  /** Set if too many inconclusive calls stopped the submission early. */
  stopped?: string;
  /** Set if another submission had the turn: nothing was done. */
  isBusy?: true;
}

export interface SubmissionDeps {
  db: Pool;
  clock: Clock;
  /** Asks the provider for each payment before it is sent: restored books do not know what was sent since the backup. */
  isAfterRestore?: boolean;
}

/** Small first batch, so a failing provider meets few payments. */
const firstBatch = 5;
const batchSize = 50;
const msUntilSent = 60_000;
const msWhileHeld = 3_600_000;

interface Pass<Row extends Payment> {
  deps: SubmissionDeps;
  book: PaymentBook<Row>;
  report: SubmittedPayments;
  breaker: CircuitBreaker;
}

/**
 * Submits everything planned, after it has asked for what is unanswered and due. The intent is committed before each call
 * and the answer after it; an unanswered payment is looked up at the provider and repeated only when it is not there. One
 * payment without an answer holds up no other one; many in a row stop the submission (docs/decisions/0036). One program at
 * a time submits a kind; a second one does nothing and says so.
 */
export async function submitPayments<Row extends Payment>(
  deps: SubmissionDeps,
  book: PaymentBook<Row>,
): Promise<SubmittedPayments> {
  const report: SubmittedPayments = { submitted: 0, totalCents: noCents, refused: [], unknown: 0 };
  const hadTurn = await withSessionLock(deps.db, book.lock, async () => {
    await askAgain({ deps, book, report, breaker: circuitBreaker() });
    await submitPlanned({ deps, book, report, breaker: circuitBreaker() });
    return true;
  });
  return hadTurn ? report : { ...report, isBusy: true };
}

/** Throws Unavailable if a submission stopped early, so callers retry. */
export function requireWhole({ stopped, unknown }: Pick<SubmittedPayments, 'stopped' | 'unknown'>, what: string): void {
  if (!stopped) return;
  throw new Unavailable(
    `The submission of ${what} stopped: ${stopped}. ${unknown} may or may not be at the provider and are asked for again; the rest goes with the next submission.`,
    'provider-unavailable',
  );
}

/** Asks only for what is unanswered and due. */
export async function resubmitUnanswered<Row extends Payment>(
  deps: SubmissionDeps,
  book: PaymentBook<Row>,
): Promise<SubmittedPayments> {
  const report: SubmittedPayments = { submitted: 0, totalCents: noCents, refused: [], unknown: 0 };
  await withSessionLock(deps.db, book.lock, () => askAgain({ deps, book, report, breaker: circuitBreaker() }));
  return report;
}

const mayGoOn = <Row extends Payment>(book: PaymentBook<Row>): boolean => book.mayGoOn?.() ?? true;

async function submitPlanned<Row extends Payment>(pass: Pass<Row>): Promise<void> {
  const { book, breaker, report } = pass;
  for (let limit = firstBatch; !breaker.isOpen; limit = batchSize) {
    const taken = mayGoOn(book) ? await book.takeNext(limit) : undefined;
    if (!taken) return;
    await submitBatch(pass, pass.deps.isAfterRestore ? await recordKnown(pass, taken) : taken);
  }
  report.stopped = `${breaker.inconclusive} of the last ${breaker.ofLast} calls had no conclusive answer`;
}

/** Asks again under its own breaker, so new payments proceed. */
async function askAgain<Row extends Payment>(pass: Pass<Row>): Promise<void> {
  const { book, breaker } = pass;
  while (!breaker.isOpen && mayGoOn(book)) {
    const due = await book.listDue(batchSize);
    if (due.length === 0) return;
    const missing: Row[] = [];
    for (const row of await recordKnown(pass, due))
      if (book.isHeld?.(row)) await putOff(pass, row, msWhileHeld);
      else missing.push(row);
    const again = missing.length > 0 ? await book.takeAgain(missing) : [];
    const taken = new Set(again.map(({ id }) => id));
    for (const row of missing) if (!taken.has(row.id)) await leave(pass, row, 'it can not be sent for now');
    await submitBatch(pass, again);
  }
}

/** Looks payments up at the provider and records those it has; returns the others, none once it stops answering. */
async function recordKnown<Row extends Payment>(pass: Pass<Row>, rows: Row[]): Promise<Row[]> {
  const missing: Row[] = [];
  for (const row of rows) {
    if (pass.breaker.isOpen) return [];
    if ((await lookUp(pass, row)) === 'missing') missing.push(row);
  }
  return missing;
}

async function lookUp<Row extends Payment>(pass: Pass<Row>, row: Row): Promise<'found' | 'missing' | 'unknown'> {
  const { deps, book, breaker } = pass;
  try {
    const providerRef = await book.find(row);
    if (!providerRef) return 'missing';
    breaker.record(false);
    await rereadOutcomesFrom(deps.db, row.submittingAt); // it may have settled while its reference was not known here
    await recordAccepted(pass, [{ row, providerRef }]);
    return 'found';
  } catch (error) {
    if (!(error instanceof ProviderUnavailable || error instanceof ProviderRefused)) throw error;
    breaker.record(true);
    await leave(pass, row, error.message);
    return 'unknown';
  }
}

async function submitBatch<Row extends Payment>(pass: Pass<Row>, rows: Row[]): Promise<void> {
  if (rows.length === 0) return;
  const byId = new Map((await answersTo(pass, rows)).map((answer) => [answer.id, answer]));
  const accepted: Accepted<Row>[] = [];
  for (const row of rows) {
    const answer = byId.get(row.id) ?? { id: row.id, result: 'unknown', reason: 'no answer for it' };
    if (answer.result === 'accepted') {
      pass.breaker.record(false);
      accepted.push({ row, providerRef: answer.providerRef });
    } else await record(pass, row, answer);
  }
  await recordAccepted(pass, accepted);
}

/** Records a batch at once; where that fails, one by one, so that a payment we cannot book keeps no other one waiting. */
async function recordAccepted<Row extends Payment>(pass: Pass<Row>, accepted: Accepted<Row>[]): Promise<void> {
  const { book, report } = pass;
  if (accepted.length === 0) return;
  try {
    for (const { amount } of await book.recordAccepted(accepted)) {
      report.submitted += 1;
      report.totalCents = add(report.totalCents, amount);
    }
  } catch (error) {
    const [only, second] = accepted;
    if (second) for (const each of accepted) await recordAccepted(pass, [each]);
    else if (only)
      await leave(pass, only.row, `it is at the provider and can not be booked: ${(error as Error).message}`);
  }
}

async function answersTo<Row extends Payment>({ book }: Pass<Row>, rows: Row[]): Promise<Submission[]> {
  try {
    return await book.submit(rows);
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error;
    return rows.map(({ id }) => ({ id, result: 'unknown', reason: error.message }));
  }
}

async function record<Row extends Payment>(
  pass: Pass<Row>,
  row: Row,
  answer: Exclude<Submission, { result: 'accepted' }>,
): Promise<void> {
  const { book, breaker, report } = pass;
  if (answer.result === 'unknown' && answer.isUnsent) {
    report.unknown += 1;
    return putOff(pass, row, msUntilSent);
  }
  breaker.record(answer.result === 'unknown');
  if (answer.result === 'unknown') return leave(pass, row, answer.reason);
  const { reason } = answer;
  if (await book.recordRefused(row, answer)) report.refused.push({ id: row.id, cents: row.amount, reason });
}

function putOff<Row extends Payment>({ deps, book }: Pass<Row>, row: Row, ms: number): Promise<void> {
  return postpone(deps.db, book.table, row, new Date(deps.clock.now().getTime() + ms));
}

async function leave<Row extends Payment>({ deps, book, report }: Pass<Row>, row: Row, answer: string): Promise<void> {
  report.unknown += 1;
  await recordInconclusive(deps.db, book.table, row, deps.clock.now(), answer);
}
