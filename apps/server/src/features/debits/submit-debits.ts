import type { Pool } from '#db/connect.ts';
import { withSessionLock } from '#db/session-lock.ts';
import { legsOf, postTransfer } from '#features/ledger/post.ts';
import { rereadOutcomesFrom } from '#features/payouts/reread-outcomes.ts';
import type { BankLink } from '#ports/bank-link.ts';
import { type Clock, today } from '#ports/clock.ts';
import type { DebitOrder, DirectDebit, Submission } from '#ports/direct-debit.ts';
import { claimPlanned, type Debit, listNextToSubmit, listUnfinished, moveDebit } from './debit-repository.ts';
import { guardDebits, type Waited } from './guard-debits.ts';
import { refuseWhileHalted } from './halted-runs.ts';
import { balanceReader } from './read-balances.ts';

export interface SubmitDeps {
  db: Pool;
  clock: Clock;
  directDebit: DirectDebit;
  bankLink: Pick<BankLink, 'balanceOf'>;
  statementName: string;
}

export interface Submitted {
  submitted: number;
  totalCents: number;
  refused: number;
  /** Not known to be at the provider: asked for again with the next submission. */
  unknown: number;
  /** Left for the next run by the balance guard, by reason. */
  waited: Waited;
}

const batchSize = 50;

/**
 * Submits everything planned that the balance guard lets go, or only debits of some kinds. The intent is committed before
 * each call and the answer after it; what an earlier program left between the two is first asked for at the provider, and
 * repeated only when it is not there (design 7.5). One program submits at a time; a second one finds nothing to do. Throws
 * while debiting is halted.
 */
export async function submitDebits(
  deps: SubmitDeps,
  kinds: Debit['kind'][] = ['round-up', 'donation'],
): Promise<Submitted> {
  const report: Submitted = { submitted: 0, totalCents: 0, refused: 0, unknown: 0, waited: {} };
  const readBalances = balanceReader(deps.bankLink);
  await withSessionLock(deps.db, 'submit debits', async () => {
    await refuseWhileHalted(deps.db);
    await finishUnfinished(deps, kinds, report);
    const beganAt = deps.clock.now();
    while (report.unknown === 0) {
      const next = await listNextToSubmit(deps.db, kinds, { now: deps.clock.now(), beganAt, limit: batchSize });
      if (next.length === 0) return;
      const going = await guardDebits(deps, readBalances, next, report.waited);
      const claimed = await claimPlanned(deps.db, kinds, deps.clock.now(), going);
      await submitBatch(deps, claimed, report);
    }
  });
  return report;
}

async function finishUnfinished(deps: SubmitDeps, kinds: Debit['kind'][], report: Submitted): Promise<void> {
  const unfinished = await listUnfinished(deps.db, kinds, 100_000);
  const missing: Debit[] = [];
  for (const debit of unfinished) {
    const providerRef = await deps.directDebit.findDebit(orderOf(deps, debit));
    if (!providerRef && !debit.isStopped) missing.push(debit);
    if (providerRef) {
      // It may have settled long ago, when nobody knew whose it was.
      await rereadOutcomesFrom(deps.db, new Date(debit.runDate));
      await record(deps, debit, { id: debit.id, result: 'accepted', providerRef }, report);
    }
  }
  for (let start = 0; start < missing.length; start += batchSize) {
    await submitBatch(deps, missing.slice(start, start + batchSize), report);
  }
}

const orderOf = ({ clock, statementName }: SubmitDeps, debit: Debit): DebitOrder => ({
  id: debit.id,
  mandateRef: debit.mandateRef,
  amount: debit.amount,
  remitter: statementName,
  reference: debit.reference,
  dueOn: debit.runDate > today(clock) ? debit.runDate : today(clock),
});

async function submitBatch(deps: SubmitDeps, debits: Debit[], report: Submitted): Promise<void> {
  const answers = await deps.directDebit.submitDebits(debits.map((debit) => orderOf(deps, debit)));
  const byId = new Map(answers.map((answer) => [answer.id, answer]));
  for (const debit of debits) {
    const answer = byId.get(debit.id) ?? { id: debit.id, result: 'unknown', reason: 'no answer for it' };
    await record(deps, debit, answer, report);
  }
}

async function record({ db, clock }: SubmitDeps, debit: Debit, answer: Submission, report: Submitted): Promise<void> {
  if (answer.result === 'unknown') {
    report.unknown += 1;
    return;
  }
  const at = clock.now();
  const { supporterId, id: source, clubId } = debit;
  const transfer = { supporterId, source, clubId, bookedOn: today(clock) };
  await db.begin(async (tx) => {
    if (answer.result === 'refused') {
      if (!(await moveDebit(tx, debit, ['submitting'], 'refused', { at, refusal: answer.reason }))) return;
      await postTransfer(tx, { ...transfer, kind: 'refused', legs: legsOf.refused(debit) });
      report.refused += 1;
      return;
    }
    const facts = { at, providerRef: answer.providerRef };
    if (!(await moveDebit(tx, debit, ['submitting'], 'submitted', facts))) return;
    await postTransfer(tx, { ...transfer, kind: 'submitted', legs: legsOf.submitted(debit) });
    report.submitted += 1;
    report.totalCents += debit.amount;
  });
}
