import { legsOf, postTransfers } from '#features/ledger/post.ts';
import {
  type Accepted,
  type PaymentKind,
  resubmitUnanswered,
  type SubmissionDeps,
  type SubmittedPayments,
  submitPayments,
} from '#features/submission/submit-payments.ts';
import type { BankLink } from '#ports/bank-link.ts';
import { today } from '#ports/clock.ts';
import type { DebitOrder, DirectDebit } from '#ports/direct-debit.ts';
import {
  type Debit,
  type DebitCursor,
  findSubmittingDebit,
  listDueAgain,
  moveSubmitted,
  readPlannedPage,
  takePlanned,
  type UnansweredDebit,
} from './debit-repository.ts';
import { deferLowBalances, type WaitingDebits } from './low-balance-check.ts';
import { balanceReader } from './read-balances.ts';
import { type Refusals, recordRefusal } from './record-refusal.ts';
import { findSuspension, refuseWhileSuspended } from './suspended-runs.ts';

export interface SubmitDeps extends SubmissionDeps {
  directDebit: DirectDebit;
  bankLink: Pick<BankLink, 'balanceOf'>;
  statementName: string;
}

export interface Submitted extends Omit<SubmittedPayments, 'refused'>, WaitingDebits {
  /** The provider's refusals, by cause. */
  refused: Refusals;
}

const allKinds: Debit['kind'][] = ['round-up', 'donation'];

/**
 * Submits everything planned that the low-balance check lets go, or only debits of some kinds. Throws while
 * debiting is suspended, and stops once the provider does not let us collect. With `mayAskAgain` an account about which
 * the bank link gives no answer keeps its debit planned.
 */
export async function submitDebits(deps: SubmitDeps, kinds = allKinds, mayAskAgain = false): Promise<Submitted> {
  await refuseWhileSuspended(deps.db);
  const waiting: WaitingDebits = { deferred: {}, awaitsBalances: 0 };
  const refused: Refusals = {};
  const report = await submitPayments(deps, debitKind(deps, kinds, { waiting, refused, mayAskAgain }));
  return { ...report, refused, ...waiting };
}

/** Asks again for unanswered debits, unless debiting is suspended. */
export async function resubmitDebits(deps: SubmitDeps): Promise<SubmittedPayments | undefined> {
  if (await findSuspension(deps.db)) return undefined;
  return resubmitUnanswered(deps, debitKind(deps));
}

export function debitKind(
  deps: SubmitDeps,
  kinds = allKinds,
  {
    waiting = { deferred: {}, awaitsBalances: 0 },
    refused = {},
    mayAskAgain = false,
  }: { waiting?: WaitingDebits; refused?: Refusals; mayAskAgain?: boolean } = {},
): PaymentKind<UnansweredDebit> {
  const { db, clock, directDebit } = deps;
  const check = { readBalances: balanceReader(deps.bankLink), mayAskAgain, waiting };
  const beganAt = clock.now();
  let after: DebitCursor | undefined;
  return {
    lock: 'submit debits',
    table: 'debits',
    listDue: (limit) => listDueAgain(db, kinds, clock.now(), limit),
    findSubmitting: (id) => findSubmittingDebit(db, id),
    takeNext: async (limit) => {
      const page = await readPlannedPage(db, kinds, { now: clock.now(), beganAt, after, limit });
      if (!page) return undefined;
      after = page.last;
      const going = await deferLowBalances(deps, check, page.debits);
      return going.length > 0 ? takePlanned(db, clock.now(), going) : [];
    },
    find: (debit) => directDebit.findDebit(orderOf(deps, debit)),
    isHeld: ({ isHeld }) => isHeld,
    takeAgain: async (debits) => debits,
    submit: (debits) => directDebit.submitDebits(debits.map((debit) => orderOf(deps, debit))),
    recordAccepted: (accepted) => recordSubmitted(deps, accepted),
    mayGoOn: () => !refused.not_permitted,
    recordRefused: async (debit, answer) => {
      if (!(await db.begin((tx) => recordRefusal(tx, clock, debit, answer)))) return false;
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
function recordSubmitted(deps: SubmitDeps, accepted: Accepted<UnansweredDebit>[]): Promise<UnansweredDebit[]> {
  return deps.db.begin(async (tx) => {
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
