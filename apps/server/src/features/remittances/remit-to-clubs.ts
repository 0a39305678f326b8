import { addDays, type Cents, type IsoDate } from '@sparechange/domain';
import { bankingDayOnOrAfter } from '@sparechange/domain/banking-calendar';
import { retryRemittanceOn } from '@sparechange/domain/failed-remittance';
import { Conflict } from '#errors.ts';
import { type PayoutBook, type PayoutDeps, resubmitPayouts, submitPayouts } from '#features/payouts/submit-payouts.ts';
import { makePacks } from '#features/remittance-advice/make-advice.ts';
import { requireWhole, type SubmittedPayments } from '#features/submission/submit-payments.ts';
import { today } from '#ports/clock.ts';
import type { RefusalCause } from '#ports/direct-debit.ts';
import type { FieldEncryption } from '#secrets/field-encryption.ts';
import { closeAndRollUp } from './close-and-roll-up.ts';
import { clubAddress } from './club-address.ts';
import { postRemittance } from './club-ledger.ts';
import { type Kept, planRemittances } from './plan-remittances.ts';
import {
  claimRemittances,
  claimRemittancesAgain,
  findSubmittingRemittance,
  listDueRemittances,
  moveRemittance,
  type PayableRemittance,
} from './remittance-repository.ts';

export interface RemitDeps extends PayoutDeps {
  seal: FieldEncryption;
  statementName: string;
  mailFrom: string;
}

export interface RemitRun {
  /** Clubs that are paid, each counted once. */
  clubs: number;
  totalCents: Cents;
  /** Amounts that stay in a club's balance, and why. */
  kept: Kept[];
  /** Remittances the provider refused; they stay in clubs' balances. */
  refused: { id: string; cents: Cents; reason: string }[];
  /** Without a conclusive answer: asked for again on their own. */
  unknown: number;
}

/** Pays each club what cleared up to the day before and was not yet remitted (docs/rules.md#remittance). Again, it adds nothing. */
export async function remitToClubs(deps: RemitDeps, date: IsoDate = today(deps.clock)): Promise<RemitRun> {
  if (date > today(deps.clock)) {
    throw new Conflict(`${date} is still to come; the day before it has not ended.`);
  }
  await closeAndRollUp(deps.db, addDays(date, -1));
  const kept = await planRemittances(deps.db, deps.clock, date);
  const book = remittanceBook(deps);
  const paid = new Set<string>();
  const recordAccepted: typeof book.recordAccepted = async (remittance, providerRef) => {
    const isRecorded = await book.recordAccepted(remittance, providerRef);
    if (isRecorded) paid.add(remittance.clubId);
    return isRecorded;
  };
  const report = await submitPayouts(deps, { ...book, recordAccepted });
  await makePacks(deps);
  requireWhole(report, 'remittances');
  const { totalCents, refused, unknown } = report;
  return { clubs: paid.size, totalCents, kept, refused, unknown };
}

/** Asks the provider again for remittances without a conclusive answer. */
export async function resubmitRemittances(deps: RemitDeps): Promise<SubmittedPayments> {
  const report = await resubmitPayouts(deps, remittanceBook(deps));
  if (report.submitted > 0) await makePacks(deps);
  return report;
}

export const remittanceBook = (deps: RemitDeps): PayoutBook<PayableRemittance> => ({
  lock: 'submit remittances',
  table: 'remittances',
  listDue: (limit) => listDueRemittances(deps.db, deps.clock.now(), limit),
  findSubmitting: (id) => findSubmittingRemittance(deps.db, id),
  claim: (limit) => claimRemittances(deps.db, deps.clock.now(), limit),
  claimAgain: (remittances) => claimRemittancesAgain(deps.db, deps.clock.now(), remittances),
  orderOf: (remittance) => ({
    id: remittance.id,
    name: remittance.payee,
    email: clubAddress(deps.mailFrom, remittance.clubId),
    bsb: deps.seal.open(remittance.bsbSealed, `club ${remittance.clubId} bsb`),
    accountNumber: deps.seal.open(remittance.accountNumberSealed, `club ${remittance.clubId} account number`),
    amount: remittance.amount,
    remitter: deps.statementName,
    reference: remittance.reference,
    dueOn: bankingDayOnOrAfter(today(deps.clock)),
  }),
  recordAccepted: (remittance, providerRef) =>
    moveRemittance(deps.db, remittance, 'submitting', 'submitted', { at: deps.clock.now(), providerRef }),
  recordRefused: (remittance, reason, cause) => refuse(deps, remittance, reason, cause),
});

/** Refuses a remittance, restoring the club's balance in one step. */
function refuse(
  { db, clock }: RemitDeps,
  remittance: PayableRemittance,
  reason: string,
  cause: RefusalCause | undefined,
): Promise<boolean> {
  return db.begin(async (tx) => {
    const failure = cause === 'account_invalid' ? cause : 'refused';
    const retryOn = retryRemittanceOn(failure, remittance.failures, today(clock));
    const facts = { at: clock.now(), failure: reason, retryOn };
    if (!(await moveRemittance(tx, remittance, 'submitting', 'refused', facts))) return false;
    await postRemittance(tx, remittance, 'refused', today(clock));
    return true;
  });
}
