import { addToSetAside, type Cents, type Month, monthToDeposit } from '@sparechange/domain';
import { bankingDayOnOrAfter } from '@sparechange/domain/banking-calendar';
import type { Pool } from '#db/connect.ts';
import { Conflict } from '#errors.ts';
import { postTransfer } from '#features/ledger/post.ts';
import { type PayoutBook, type PayoutDeps, resubmitPayouts, submitPayouts } from '#features/payouts/submit-payouts.ts';
import { type Refusal, requireWhole, type SubmittedPayments } from '#features/submission/submit-payments.ts';
import { today } from '#ports/clock.ts';
import type { FieldEncryption } from '#secrets/field-encryption.ts';
import {
  claimDeposits,
  claimDepositsAgain,
  findSubmittingDeposit,
  listDueDeposits,
  moveDeposit,
  type PayableDeposit,
} from './deposit-repository.ts';
import { planDeposits } from './plan-deposits.ts';
import { refuseAccount } from './refuse-account.ts';
import { changeSetAside } from './set-aside.ts';

export interface SavingsDeps extends PayoutDeps {
  seal: FieldEncryption;
  statementName: string;
}

export interface SavingsRun {
  month: string;
  deposits: number;
  totalCents: Cents;
  /** Refused deposits, which stay set aside, with the reason. */
  refused: { id: string; cents: Cents; reason: string }[];
  /** Without a conclusive answer: asked for again on their own. */
  unknown: number;
}

/** Deposits what was set aside up to the end of a month, last month by default (docs/rules.md#monthly-deposit). Again, it adds nothing. */
export async function depositSavings(
  deps: SavingsDeps,
  month: Month = monthToDeposit(today(deps.clock)),
): Promise<SavingsRun> {
  const written = month.slice(0, 7);
  if (month > monthToDeposit(today(deps.clock))) {
    throw new Conflict(`${written} has not ended; what is set aside in it is deposited after it.`);
  }
  await planDeposits(deps.db, deps.clock, month);
  const report = await submitPayouts(deps, depositBook(deps));
  requireWhole(report, 'deposits');
  const { submitted, totalCents, refused, unknown } = report;
  return { month: written, deposits: submitted, totalCents, refused, unknown };
}

/** Asks the provider again for deposits without a conclusive answer. */
export const resubmitDeposits = (deps: SavingsDeps): Promise<SubmittedPayments> =>
  resubmitPayouts(deps, depositBook(deps));

export const depositBook = (deps: SavingsDeps): PayoutBook<PayableDeposit> => ({
  lock: 'submit deposits',
  table: 'deposits',
  listDue: (limit) => listDueDeposits(deps.db, deps.clock.now(), limit),
  findSubmitting: (id) => findSubmittingDeposit(deps.db, id),
  claim: (limit) => claimDeposits(deps.db, deps.clock.now(), limit),
  claimAgain: (deposits) => claimDepositsAgain(deps.db, deps.clock.now(), deposits),
  orderOf: (deposit) => ({
    id: deposit.id,
    name: deposit.accountName,
    email: deposit.email,
    bsb: deps.seal.open(deposit.bsbSealed, `supporter ${deposit.supporterId} savings bsb`),
    accountNumber: deps.seal.open(
      deposit.accountNumberSealed,
      `supporter ${deposit.supporterId} savings account number`,
    ),
    amount: deposit.amount,
    remitter: deps.statementName,
    reference: deposit.reference,
    dueOn: bankingDayOnOrAfter(today(deps.clock)),
  }),
  recordAccepted: (deposit, providerRef) =>
    moveDeposit(deps.db, deposit, 'submitting', 'submitted', { at: deps.clock.now(), providerRef }),
  recordRefused: (deposit, reason, cause) => refuse(deps.db, deps, deposit, { reason, cause }),
});

/** A refused deposit goes back to the set-aside in the same step, and the supporter learns that the account is at fault. */
function refuse(
  pool: Pool,
  { clock }: SavingsDeps,
  deposit: PayableDeposit,
  { reason, cause }: Refusal,
): Promise<boolean> {
  const { supporterId, id: source, clubId, amount } = deposit;
  return pool.begin(async (tx) => {
    if (!(await moveDeposit(tx, deposit, 'submitting', 'refused', { at: clock.now(), failure: reason }))) return false;
    const back = await changeSetAside(tx, supporterId, addToSetAside, amount);
    const legs = { savings_depositing: amount, ...back };
    await postTransfer(tx, { supporterId, source, clubId, bookedOn: today(clock), kind: 'deposit refused', legs });
    if (cause === 'account_invalid') await refuseAccount(tx, deposit, clock.now());
    return true;
  });
}
