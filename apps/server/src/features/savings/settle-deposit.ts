import { addToSetAside, afterReturn, negate } from '@sparechange/domain';
import { noteInAuditLog } from '#audit/audit-log.ts';
import type { Db } from '#db/connect.ts';
import { mailSavingsDeposited } from '#features/emails/queue-savings-emails.ts';
import { bookingDay } from '#features/ledger/booking-day.ts';
import { type Legs, postTransfer, type TransferKind } from '#features/ledger/post.ts';
import { type PayoutChange, payoutChange } from '#features/payouts/payout-state.ts';
import type { Clock } from '#ports/clock.ts';
import type { Outcome, ReturnedOutcome } from '#ports/direct-debit.ts';
import { type Deposit, lockDepositByProviderRef, moveDeposit } from './deposit-repository.ts';
import { refuseAccount } from './refuse-account.ts';
import { changeSetAside } from './set-aside.ts';

/**
 * Applies what the provider says of a deposit; undefined when it is none. What comes back, at once or later, is set
 * aside again (docs/rules.md#monthly-deposit).
 */
export async function settleDeposit(db: Db, clock: Clock, outcome: Outcome): Promise<PayoutChange | undefined> {
  const deposit = await lockDepositByProviderRef(db, outcome.providerRef);
  if (!deposit) return undefined;
  const change = payoutChange(deposit.state, outcome.state);
  if (change === 'nothing') return 'nothing';
  const back = outcome.state === 'returned' ? outcome : undefined;
  const facts = { at: clock.now(), returnCode: back?.code, failure: back?.reason };
  if (!(await moveDeposit(db, deposit, deposit.state, change, facts))) return 'nothing';
  await book(db, clock, deposit, change);
  const { supporterId, id, amount, month } = deposit;
  if (!back) {
    await mailSavingsDeposited(db, clock.now(), { supporterId, id, amountCents: amount, month: month.slice(0, 7) });
  } else {
    await noteReturn(db, clock, deposit, back);
    if (afterReturn(back.code, false).accountUnusable) await refuseAccount(db, deposit, clock.now());
  }
  return change;
}

const kinds: Record<Exclude<PayoutChange, 'nothing'>, TransferKind> = {
  cleared: 'deposit cleared',
  returned: 'deposit returned',
  reversed: 'deposit reversed',
};

async function book(db: Db, clock: Clock, deposit: Deposit, change: Exclude<PayoutChange, 'nothing'>): Promise<void> {
  const { supporterId, id: source, clubId, amount } = deposit;
  const legs: Legs =
    change === 'cleared'
      ? { savings_depositing: amount, savings_deposited: negate(amount) }
      : {
          [change === 'returned' ? 'savings_depositing' : 'savings_deposited']: amount,
          ...(await changeSetAside(db, supporterId, addToSetAside, amount)),
        };
  await postTransfer(db, {
    supporterId,
    source,
    clubId,
    bookedOn: await bookingDay(db, clock),
    kind: kinds[change],
    legs,
  });
}

async function noteReturn(db: Db, clock: Clock, { supporterId, id }: Deposit, back: ReturnedOutcome): Promise<void> {
  const details = { deposit: id, code: back.code, reason: back.reason ?? null };
  await noteInAuditLog(db, {
    supporterId,
    at: clock.now(),
    actor: 'direct debit',
    action: 'deposit returned',
    details,
  });
}
