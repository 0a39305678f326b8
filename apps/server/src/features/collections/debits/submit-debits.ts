import { type IsoDate, sydneyTime } from '@sparechange/domain';
import { balancesAskedUntil } from '@sparechange/domain/banking-calendar';
import type { Pool } from '#db/connect.ts';
import { throwAll } from '#db/turns.ts';
import { runningCampaigns, suspendedTenantKeys } from '#features/beneficiaries/clubs/campaigns.ts';
import { legsOf, postTransfers } from '#features/core/ledger/post.ts';
import type { Accepted, PaymentKind } from '#features/core/submission/payment-kind.ts';
import type { SubmittedPayments } from '#features/core/submission/submit-batch.ts';
import {
  assistSubmission,
  resubmitUnanswered,
  type SubmissionDeps,
  submitPayments,
} from '#features/core/submission/submit-payments.ts';
import type { BankLink } from '#ports/bank-link.ts';
import { type Clock, today } from '#ports/clock.ts';
import type { DebitOrder, DirectDebit } from '#ports/direct-debit.ts';
import type { Tenants } from '#tenants/load-tenants.ts';
import {
  type Debit,
  type DebitCursor,
  findLapsedDebits,
  findSubmittingDebit,
  listDueAgain,
  moveSubmitted,
  readPlannedPage,
  takePlanned,
  type UnansweredDebit,
} from './debit-repository.ts';
import { type BalanceCheck, deferLowBalances, type WaitingDebits } from './low-balance-check.ts';
import { balanceReader } from './read-balances.ts';
import { type Refusals, recordRefusal } from './record-refusal.ts';
import { findSharedRun, onlyReleased } from './release-runs.ts';
import { findSuspension, refuseWhileSuspended, suspendRuns } from './suspended-runs.ts';

export interface SubmitDeps extends SubmissionDeps {
  directDebit: DirectDebit;
  tenants: Tenants;
  bankLink: Pick<BankLink, 'balanceOf'>;
  statementName: string;
}

export interface Submitted extends Omit<SubmittedPayments, 'refused'>, WaitingDebits {
  /** The provider's refusals, by cause. */
  refused: Refusals;
}

const allKinds: Debit['kind'][] = ['round-up', 'donation'];

/**
 * Submits all planned debits that pass the low-balance check, or only some kinds, or buckets. Throws while debiting is
 * suspended, and stops once the provider refuses all collections. With `mayAskAgain` a debit whose balance the bank
 * link cannot report stays planned.
 */
export async function submitDebits(
  deps: SubmitDeps,
  { kinds = allKinds, buckets = deps.db.inBuckets(), mayAskAgain = false } = {},
): Promise<Submitted> {
  await refuseWhileSuspended(deps.db);
  const submission = { ...beginSubmission(deps, kinds), mayAskAgain };
  const report = await submitPayments(deps, inBuckets(deps, submission, buckets));
  return { ...report, refused: submission.refused, ...submission.waiting };
}

/**
 * Creates a worker's assistant. Each call submits debits of the run that its leader shares, alongside it, in the free
 * buckets (docs/decisions/work-and-timetable.md#workers-that-assist). Returns undefined if no run is shared, and after
 * one round: debits it left have to wait, and a provider that is down would meet new payments each time.
 */
export function debitRunAssistant(deps: SubmitDeps) {
  let assistedSince: number | undefined;
  return async (stopping: AbortSignal): Promise<Submitted | undefined> => {
    const run = deps.db.inBuckets().length > 1 ? await findSharedRun(deps.db) : undefined;
    if (!run || run.sharedSince.getTime() === assistedSince) return undefined;
    assistedSince = run.sharedSince.getTime();
    const submission: Submission = {
      ...beginSubmission(deps, ['round-up']),
      beganAt: run.sharedSince,
      mayAskAgain: asksBalancesAgain(deps.clock, run.date),
      hasEnded: async () => (await findSharedRun(deps.db))?.date !== run.date,
    };
    const report = await assistSubmission(deps, inBuckets(deps, submission), stopping);
    return { ...report, refused: submission.refused, ...submission.waiting };
  };
}

/**
 * Returns whether debits of a run stay planned while the bank link cannot report their balance: until 09:00 of its day.
 */
export const asksBalancesAgain = (clock: Clock, date: IsoDate): boolean =>
  clock.now() < sydneyTime(date, balancesAskedUntil);

/** Retries unanswered debits, unless debiting is suspended. */
export async function resubmitDebits(deps: SubmitDeps): Promise<SubmittedPayments | undefined> {
  if (await findSuspension(deps.db)) return undefined;
  return resubmitUnanswered(deps, inBuckets(deps, beginSubmission(deps)));
}

/** Shared by the buckets of a submission. */
interface Submission extends Pick<Submitted, 'refused'>, BalanceCheck {
  kinds: Debit['kind'][];
  beganAt: Date;
  /** False once the provider refuses all collections, whether or not that can be recorded. */
  mayCollect: boolean;
  /** Called before each batch. */
  hasEnded: () => Promise<boolean>;
}

const beginSubmission = (deps: SubmitDeps, kinds = allKinds): Submission => ({
  kinds,
  beganAt: deps.clock.now(),
  mayCollect: true,
  hasEnded: async () => (await findSuspension(deps.db)) !== undefined,
  readBalances: balanceReader(deps.bankLink),
  mayAskAgain: false,
  waiting: { deferred: {}, awaitsBalances: 0 },
  refused: {},
});

const inBuckets = (deps: SubmitDeps, submission: Submission, buckets = deps.db.inBuckets()) =>
  buckets.map((bucket) => debitKind(deps, bucket, submission));

/** Returns the debits of a bucket; `deps.db` is control. */
export function debitKind(
  deps: SubmitDeps,
  bucket: Pool,
  submission = beginSubmission(deps),
): PaymentKind<UnansweredDebit> {
  const { clock, directDebit } = deps;
  const { kinds, beganAt, refused } = submission;
  const suspended = () => suspendedTenantKeys(deps.db);
  let after: DebitCursor | undefined;
  const failures: unknown[] = [];
  return {
    db: bucket,
    table: 'debits',
    listDue: async (limit) => listDueAgain(bucket, kinds, clock.now(), await suspended(), limit),
    findSubmitting: async (id) => findSubmittingDebit(bucket, id, await suspended()),
    takeNext: async (limit) => {
      const now = clock.now();
      const page = (await submission.hasEnded())
        ? undefined
        : await readPlannedPage(bucket, kinds, { now, beganAt, suspended: await suspended(), after, limit });
      if (!page) {
        throwAll(failures); // after all others are submitted: the run is not finished without these
        return undefined;
      }
      after = page.last;
      const released = await onlyReleased(deps.db, page.debits);
      const going = await deferLowBalances({ db: bucket, clock }, submission, released, failures);
      const still = await onlyReleased(deps.db, going); // a bank may have answered slowly
      return still.length > 0 ? takePlanned(bucket, clock.now(), still, await suspended()) : [];
    },
    find: (debit) => directDebit.findDebit(orderOf(deps, debit)),
    isHeld: ({ isHeld }) => isHeld,
    findLapsed: async (debits) => {
      if (debits.length === 0) return new Map();
      const running = await runningCampaigns(deps.db, deps.tenants, today(clock));
      return findLapsedDebits(bucket, clock.now(), running, debits);
    },
    takeAgain: async (debits) => debits,
    submit: (debits) => directDebit.submitDebits(debits.map((debit) => orderOf(deps, debit))),
    recordAccepted: (accepted) => recordSubmitted(deps, bucket, accepted),
    mayGoOn: () => submission.mayCollect,
    recordRefused: async (debit, answer) => {
      if (answer.cause === 'not_permitted') {
        submission.mayCollect = false;
        // Before the refusal is recorded: control commits separately, and suspends nothing twice.
        await suspendRuns(deps.db, clock, debit, `the provider does not let us collect (${answer.reason})`);
      }
      const isNew = await bucket.begin(async (tx) => {
        const isRecorded = await recordRefusal(tx, clock, debit, answer);
        if (isRecorded) await answer.alsoRecord?.(tx);
        return isRecorded;
      });
      if (!isNew) return false;
      if (answer.cause) refused[answer.cause] = (refused[answer.cause] ?? 0) + 1;
      return true;
    },
  };
}

const orderOf = ({ clock, statementName }: SubmitDeps, debit: Debit): DebitOrder => ({
  id: debit.id,
  mandateRef: debit.mandateRef,
  amount: debit.amount,
  remitter: statementName,
  reference: debit.reference,
  dueOn: debit.runDate > today(clock) ? debit.runDate : today(clock),
});

const transferOf = ({ clock }: SubmitDeps, { supporterId, id: source, clubId }: Debit) => ({
  supporterId,
  source,
  clubId,
  bookedOn: today(clock),
});

/** Books a batch in one transaction. */
function recordSubmitted(
  deps: SubmitDeps,
  bucket: Pool,
  accepted: Accepted<UnansweredDebit>[],
): Promise<UnansweredDebit[]> {
  return bucket.begin(async (tx) => {
    const moved = await moveSubmitted(tx, accepted, deps.clock.now());
    const recorded = accepted.map(({ row }) => row).filter(({ id }) => moved.has(id));
    const transfers = recorded.map((debit) => ({
      ...transferOf(deps, debit),
      kind: 'submitted' as const,
      legs: legsOf.submitted(debit),
    }));
    if (transfers.length > 0) await postTransfers(tx, transfers);
    return recorded;
  });
}
