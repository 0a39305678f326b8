import { setTimeout as sleep } from 'node:timers/promises';
import { noCents } from '@sparechange/domain';
import { retryPlans } from '@sparechange/domain/retry-plan';
import type { Db, Pool } from '#db/connect.ts';
import { isOfOneBucket, schemaOf } from '#db/scope.ts';
import { isLocked, withSessionLock, withSessionLocks } from '#db/session-lock.ts';
import { Turns, throwAll } from '#db/turns.ts';
import { Unavailable } from '#errors.ts';
import { type CallOrigin, paymentBreaker } from '#features/core/breakers/payment-breaker.ts';
import type { Clock } from '#ports/clock.ts';
import type { Payment, PaymentKind } from './payment-kind.ts';
import {
  type BatchContext,
  putOff,
  recordKnown,
  recordRefused,
  recordUnanswered,
  type SubmittedPayments,
  submitBatch,
} from './submit-batch.ts';
import type { PaymentTable } from './unanswered-payments.ts';

export interface SubmissionDeps {
  db: Pool;
  clock: Clock;
  /** Looks up each payment at the provider before sending: restored books lack payments sent since the backup. */
  isAfterRestore?: boolean;
  /** Lets other processes submit planned payments alongside this one. */
  isShared?: boolean;
  /** Calls the provider even while the breaker is open (docs/decisions/payments.md#breaker). */
  isAskedByPerson?: boolean;
  /** Limits the wait for buckets in which another process submits, while nothing else is left to do. */
  patienceMs?: number;
}

/** Payments sent before larger batches begin, so a failing provider meets few. */
const firstPayments = 5;
const batchSize = 50;

/** Pause before checking a bucket again in which another process is submitting a payment. */
const busyPauseMs = 20;

/**
 * Exceeds the longest batch, in which every call is answered at the last moment; a process that holds a bucket longer
 * is stuck.
 */
const patienceWithOthersMs = 5 * 60_000;

/** Shared by the buckets of a submission. */
interface SharedContext extends Omit<BatchContext<Payment>, 'kind'> {
  deps: SubmissionDeps;
  /** Aborts once other processes may submit, too. */
  lost: AbortSignal;
}

interface SubmissionContext<Row extends Payment> extends SharedContext {
  kind: PaymentKind<Row>;
}

type KindInBuckets<Row extends Payment> = Turns<PaymentKind<Row>>;

/**
 * Submits all planned payments, after looking up unanswered ones that are due. The intent is committed before each call
 * and the answer after it; an unanswered payment is looked up at the provider and repeated only if absent. One payment
 * without an answer does not block the others; many in a row stop the submission
 * (docs/decisions/payments.md#unanswered-payments). One process at a time submits a kind; a second one does nothing and
 * reports it, or assists. Buckets take turns, a batch each; a failing bucket is left out, and its failure thrown at the
 * end.
 */
export const submitPayments = <Row extends Payment>(
  deps: SubmissionDeps,
  inBuckets: PaymentKind<Row>[],
): Promise<SubmittedPayments> =>
  submitAlone(deps, inBuckets, async (begun, kinds) => {
    await askAgain(begun, kinds);
    await submitPlanned(begun, kinds, 'new');
  });

/**
 * Submits planned payments alongside the process that submits their kind, a batch in each free bucket
 * (docs/decisions/work-and-timetable.md#workers-that-assist). The kinds determine when that ends.
 */
export const assistSubmission = <Row extends Payment>(
  deps: SubmissionDeps,
  inBuckets: PaymentKind<Row>[],
  stopping: AbortSignal,
): Promise<SubmittedPayments> =>
  submitIn(deps, inBuckets, stopping, (begun, kinds) => submitPlanned(begun, kinds, 'assisting'));

/**
 * Runs `work` while no payment of the database is being submitted. Returns undefined, without running it, if one may
 * be.
 */
export const whileNotSubmitting = <Row extends Payment, Result>(
  control: Pool,
  kind: PaymentKind<Row>,
  work: () => Promise<Result>,
): Promise<Result | undefined> =>
  withSessionLock(control, lockOf(kind.table), (lost) => inItsTurn({ control, lost }, kind, work));

const lockOf = (table: PaymentTable): string => `submit ${table}`;

/** A condition that holds while a process submits. */
export const isBeingSubmitted = (db: Db, table: PaymentTable) => isLocked(db, lockOf(table));

/** Lock that a process also holds while it lets others submit alongside it. */
const sharedLockOf = (table: PaymentTable): string => `share the submission of ${table}`;

/** A condition that holds while a process submits the planned payments of a table and lets others do so, too. */
export const isSubmissionShared = (db: Db, table: PaymentTable) => isLocked(db, sharedLockOf(table));

/**
 * Runs `work` while no other process submits in its bucket; returns undefined, without running it, if one does.
 * Payments in a single database are not divided among processes.
 */
function inItsTurn<Row extends Payment, Result>(
  { control, lost }: { control: Pool; lost: AbortSignal },
  { db: { scope }, table }: PaymentKind<Row>,
  work: (lost: AbortSignal) => Promise<Result>,
): Promise<Result | undefined> {
  if (!isOfOneBucket(scope)) return work(lost);
  return withSessionLock(control, `${lockOf(table)} of ${schemaOf(scope)}`, (lostTurn) =>
    work(AbortSignal.any([lost, lostTurn])),
  );
}

type BegunSubmission = Omit<SharedContext, 'breaker'>;

type Submit<Row extends Payment> = (begun: BegunSubmission, kinds: KindInBuckets<Row>) => Promise<void>;

const emptyReport = (): SubmittedPayments => ({ submitted: 0, totalCents: noCents, refused: [], unknown: 0 });

/** Submits in buckets, and throws failures at the end. */
async function submitIn<Row extends Payment>(
  deps: SubmissionDeps,
  inBuckets: PaymentKind<Row>[],
  lost: AbortSignal,
  submit: Submit<Row>,
): Promise<SubmittedPayments> {
  const kinds = new Turns(inBuckets);
  const shared = { deps, report: emptyReport(), lost, failures: [] };
  await submit(shared, kinds);
  throwAll([...kinds.failures, ...shared.failures]);
  return shared.report;
}

async function submitAlone<Row extends Payment>(
  deps: SubmissionDeps,
  inBuckets: PaymentKind<Row>[],
  submit: Submit<Row>,
): Promise<SubmittedPayments> {
  const [{ table } = {}] = inBuckets;
  if (!table) return emptyReport();
  const locks = [lockOf(table), ...(deps.isShared ? [sharedLockOf(table)] : [])];
  const report = await withSessionLocks(deps.db, locks, (lost) => submitIn(deps, inBuckets, lost, submit));
  return report ?? { ...emptyReport(), isBusy: true };
}

/** Throws Unavailable if a submission stopped early, or did nothing because of another one, so callers retry. */
export function throwIfStopped(
  { stopped, unknown, isBusy }: Pick<SubmittedPayments, 'stopped' | 'unknown' | 'isBusy'>,
  what: string,
): void {
  if (isBusy) throw new Unavailable(`Another process is submitting ${what}; run again in a minute.`);
  if (!stopped) return;
  throw new Unavailable(
    `The submission of ${what} stopped: ${stopped}. ${unknown} may or may not be at the provider and are checked again; the rest go with the next submission.`,
    'provider-unavailable',
  );
}

/** Retries only unanswered payments that are due. */
export const resubmitUnanswered = <Row extends Payment>(
  deps: SubmissionDeps,
  inBuckets: PaymentKind<Row>[],
): Promise<SubmittedPayments> => submitAlone(deps, inBuckets, askAgain);

const mayGoOn = <Row extends Payment>({ kind, breaker, lost }: SubmissionContext<Row>): boolean =>
  !lost.aborted && !breaker.isOpen && (kind.mayGoOn?.() ?? true);

/**
 * Gives each bucket its turns until no work is left; a bucket in which another process submits has its turn later. A
 * stuck process holds only its own bucket, while the others carry on; in the end that bucket is skipped with a failure.
 */
async function takeTurns<Row extends Payment>(
  shared: SharedContext,
  kinds: KindInBuckets<Row>,
  takeBatch: (context: SubmissionContext<Row>) => Promise<boolean>,
): Promise<void> {
  const { db: control, patienceMs = patienceWithOthersMs } = shared.deps;
  let lastTurnAt = performance.now();
  await kinds.take(async (kind) => {
    if (!mayGoOn({ ...shared, kind })) return false;
    const turn = { control, lost: shared.lost };
    const hasMore = await inItsTurn(turn, kind, (lost) => takeBatch({ ...shared, kind, lost }));
    if (hasMore === undefined) {
      if (performance.now() - lastTurnAt > patienceMs) throw new BucketTaken(schemaOf(kind.db.scope));
      await sleep(busyPauseMs);
      return true;
    }
    lastTurnAt = performance.now();
    return hasMore;
  });
}

/** Another process does not release a bucket; its planned payments are submitted later. */
class BucketTaken extends Unavailable {
  constructor(bucket: string) {
    super(`Another process has been submitting in ${bucket} for minutes, and may hang; end it if it does.`);
  }
}

async function submitPlanned<Row extends Payment>(
  begun: BegunSubmission,
  kinds: KindInBuckets<Row>,
  origin: CallOrigin,
): Promise<void> {
  const { deps, report } = begun;
  const breaker = paymentBreaker(deps, origin);
  let first = firstPayments;
  await takeTurns({ ...begun, breaker }, kinds, async (context) => {
    const state = await breaker.look();
    if (state === 'open') return false;
    if (state === 'half_open') first = firstPayments;
    const taken = await context.kind.takeNext(first > 0 ? first : batchSize);
    if (!taken) return false;
    await submitBatch(context, deps.isAfterRestore ? await recordKnown(context, taken) : taken);
    await breaker.conclude();
    first -= Math.max(1, taken.length); // a page may hold only waiting payments
    return true;
  });
  if (breaker.reason) report.stopped = breaker.reason;
}

/** Retries under a separate breaker, so new payments proceed. */
async function askAgain<Row extends Payment>(begun: BegunSubmission, kinds: KindInBuckets<Row>): Promise<void> {
  const breaker = paymentBreaker(begun.deps, 'unanswered');
  await takeTurns({ ...begun, breaker }, kinds, async (context) => {
    const { kind } = context;
    if ((await breaker.look()) === 'open') return false;
    const due = await kind.listDue(batchSize);
    if (due.length === 0) return false;
    const unknown = await recordKnown(context, due);
    const lapsed = await kind.findLapsed?.(unknown);
    const missing: Row[] = [];
    for (const row of unknown) {
      const reason = lapsed?.get(row.id);
      if (reason) await recordRefused(context, row, { reason, cause: undefined, decidedBy: 'timetable' });
      else if (kind.isHeld?.(row)) await putOff(context, row, retryPlans.heldPayment);
      else missing.push(row);
    }
    const again = missing.length > 0 ? await kind.takeAgain(missing) : [];
    const taken = new Set(again.map(({ id }) => id));
    for (const row of missing) {
      if (!taken.has(row.id)) await recordUnanswered(context, row, 'it cannot be resent: no longer eligible');
    }
    await submitBatch(context, again);
    await breaker.conclude();
    return true;
  });
}
