import { bankingDayOnOrAfter } from '@sparechange/domain/banking-calendar';
import type { Pool } from '#db/connect.ts';
import { mailRepaid } from '#features/emails/queue-debit-emails.ts';
import { bookingDay } from '#features/ledger/booking-day.ts';
import { type PayoutBook, type PayoutDeps, submitPayouts } from '#features/payouts/submit-payouts.ts';
import type { SubmittedPayments } from '#features/submission/submit-payments.ts';
import { today } from '#ports/clock.ts';
import type { FieldEncryption } from '#secrets/field-encryption.ts';
import { bookFailed } from './book-repayment.ts';
import {
  claimRepayments,
  claimRepaymentsAgain,
  findSubmittingRepayment,
  listDueRepayments,
  lockDebit,
  lockRepayment,
  moveRepayment,
  type PayableRepayment,
} from './repayment-repository.ts';

export interface RepaymentDeps extends PayoutDeps {
  seal: FieldEncryption;
  statementName: string;
}

/** Asks for due unanswered repayments, then submits all planned ones. */
export const submitRepayments = (deps: RepaymentDeps): Promise<SubmittedPayments> =>
  submitPayouts(deps, repaymentBook(deps));

export const repaymentBook = (deps: RepaymentDeps): PayoutBook<PayableRepayment> => ({
  lock: 'submit repayments',
  table: 'repayments',
  listDue: (limit) => listDueRepayments(deps.db, deps.clock.now(), limit),
  findSubmitting: (id) => findSubmittingRepayment(deps.db, id),
  claim: (limit) => claimRepayments(deps.db, deps.clock.now(), limit),
  claimAgain: (repayments) => claimRepaymentsAgain(deps.db, deps.clock.now(), repayments),
  orderOf: (repayment) => ({
    id: repayment.id,
    name: repayment.accountName,
    email: repayment.email,
    bsb: deps.seal.open(repayment.bsbSealed, `supporter ${repayment.supporterId} bsb`),
    accountNumber: deps.seal.open(repayment.accountNumberSealed, `supporter ${repayment.supporterId} account number`),
    amount: repayment.amount,
    remitter: deps.statementName,
    reference: repayment.reference,
    dueOn: bankingDayOnOrAfter(today(deps.clock)),
  }),
  recordAccepted: (repayment, providerRef) => accept(deps.db, deps, repayment, providerRef),
  recordRefused: (repayment, reason) => refuse(deps.db, deps, repayment, reason),
});

/** Mails the supporter in the accepting transaction, so only once. */
function accept(
  pool: Pool,
  { clock }: RepaymentDeps,
  repayment: PayableRepayment,
  providerRef: string,
): Promise<boolean> {
  return pool.begin(async (tx) => {
    const facts = { at: clock.now(), providerRef };
    if (!(await moveRepayment(tx, repayment, 'submitting', 'submitted', facts))) return false;
    await mailRepaid(tx, clock.now(), repayment);
    return true;
  });
}

function refuse(pool: Pool, { clock }: RepaymentDeps, { supporterId, id, debitId }: PayableRepayment, failure: string) {
  return pool.begin(async (tx) => {
    await lockDebit(tx, supporterId, debitId); // a claim on it must see this one as it ends
    const repayment = await lockRepayment(tx, { supporterId, id });
    if (!repayment) return false;
    if (!(await moveRepayment(tx, repayment, 'submitting', 'refused', { at: clock.now(), failure }))) return false;
    await bookFailed(tx, repayment, 'refused', await bookingDay(tx, clock));
    return true;
  });
}
