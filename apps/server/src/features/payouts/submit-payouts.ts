import type { Pool } from '#db/connect.ts';
import { withSessionLock } from '#db/session-lock.ts';
import type { Clock } from '#ports/clock.ts';
import type { DirectDebit, PayoutOrder, Submission } from '#ports/direct-debit.ts';
import { rereadOutcomesFrom } from './reread-outcomes.ts';

export interface PayoutDeps {
  db: Pool;
  clock: Clock;
  directDebit: DirectDebit;
}

export interface Payout {
  id: string;
  amount: number;
  submittingAt: Date | null;
}

/** One kind of payouts: where its rows are and what is booked with them. */
export interface PayoutBook<Row extends Payout> {
  /** The name of the lock that one program at a time holds. */
  lock: string;
  /** What was being submitted when its program ended: nobody knows whether the provider has it. */
  listUnfinished(limit: number): Promise<Row[]>;
  /** Takes planned payouts to submit them, in one committed step; from here on they may be at the provider. */
  claim(limit: number): Promise<Row[]>;
  /** The same for unfinished ones that the provider has not: they go to where their payee is paid now. */
  claimAgain(rows: Row[]): Promise<Row[]>;
  /** Throws when the payee's account can not be read. */
  orderOf(row: Row): PayoutOrder;
  /** Answers false when somebody else has recorded it. */
  recordAccepted(row: Row, providerRef: string): Promise<boolean>;
  recordRefused(row: Row, reason: string): Promise<boolean>;
}

export interface SubmittedPayouts {
  submitted: number;
  totalCents: number;
  /** What the provider would not take and why, for the operator. */
  refused: { id: string; cents: number; reason: string }[];
  /** Not known to be at the provider: asked for again with the next submission. */
  unknown: number;
}

const batchSize = 50;

/**
 * Submits everything planned, exactly as debits are (design 7.5): the intent is committed before each call and the
 * answer after it; what an earlier program left between the two is asked for at the provider and repeated only when
 * it is not there. One program at a time submits; a second one finds nothing to do.
 */
export async function submitPayouts<Row extends Payout>(
  deps: PayoutDeps,
  book: PayoutBook<Row>,
): Promise<SubmittedPayouts> {
  const report: SubmittedPayouts = { submitted: 0, totalCents: 0, refused: [], unknown: 0 };
  await withSessionLock(deps.db, book.lock, async () => {
    await finishUnfinished(deps, book, report);
    while (report.unknown === 0) {
      const claimed = await book.claim(batchSize);
      if (claimed.length === 0) return;
      await submitBatch(deps, book, claimed, report);
    }
  });
  return report;
}

async function finishUnfinished<Row extends Payout>(
  deps: PayoutDeps,
  book: PayoutBook<Row>,
  report: SubmittedPayouts,
): Promise<void> {
  for (;;) {
    const unfinished = await book.listUnfinished(batchSize);
    const missing: Row[] = [];
    for (const row of unfinished) {
      const order = readOrder(book, row);
      const providerRef = 'reference' in order ? await deps.directDebit.findPayout(order) : undefined;
      if (!providerRef) missing.push(row);
      else {
        // It may have settled long ago, when nobody knew whose it was.
        await rereadOutcomesFrom(deps.db, row.submittingAt);
        await record(book, row, { id: row.id, result: 'accepted', providerRef }, report);
      }
    }
    const again = missing.length > 0 ? await book.claimAgain(missing) : [];
    report.unknown += missing.length - again.length;
    await submitBatch(deps, book, again, report);
    if (unfinished.length < batchSize || report.unknown > 0) return;
  }
}

function readOrder<Row extends Payout>(book: PayoutBook<Row>, row: Row): PayoutOrder | Submission {
  try {
    return book.orderOf(row);
  } catch (error) {
    return { id: row.id, result: 'refused', reason: `the account can not be read: ${(error as Error).message}` };
  }
}

async function submitBatch<Row extends Payout>(
  { directDebit }: PayoutDeps,
  book: PayoutBook<Row>,
  rows: Row[],
  report: SubmittedPayouts,
): Promise<void> {
  const read = rows.map((row) => readOrder(book, row));
  const orders = read.filter((each) => 'reference' in each);
  const unreadable = read.filter((each) => 'result' in each);
  const answers = orders.length > 0 ? await directDebit.submitPayouts(orders) : [];
  const byId = new Map([...unreadable, ...answers].map((answer) => [answer.id, answer]));
  for (const row of rows) {
    const answer = byId.get(row.id) ?? { id: row.id, result: 'unknown', reason: 'no answer for it' };
    await record(book, row, answer, report);
  }
}

async function record<Row extends Payout>(
  book: PayoutBook<Row>,
  row: Row,
  answer: Submission,
  report: SubmittedPayouts,
): Promise<void> {
  if (answer.result === 'unknown') {
    report.unknown += 1;
    return;
  }
  if (answer.result === 'refused') {
    const { reason } = answer;
    if (await book.recordRefused(row, reason)) report.refused.push({ id: row.id, cents: row.amount, reason });
    return;
  }
  if (!(await book.recordAccepted(row, answer.providerRef))) return;
  report.submitted += 1;
  report.totalCents += row.amount;
}
