import { addToSetAside, type IsoDate, type Month, negate, sydneyDay } from '@sparechange/domain';
import { retryPayoutOn } from '@sparechange/domain/failed-payout';
import type { Db } from '#db/connect.ts';
import { bookingDay } from '#features/core/ledger/booking-day.ts';
import { type Legs, postTransfer } from '#features/core/ledger/post.ts';
import { failureOf, type Payout, type PayoutEnd, type PayoutKind } from '#features/core/payouts/payout-kind.ts';
import { mailSavingsDeposited, mailSavingsRefused } from '#features/correspondence/emails/queue-savings-emails.ts';
import { type Clock, today } from '#ports/clock.ts';
import { markAccountRefused } from './savings-repository.ts';
import { lockAndComputeSetAsideLegs } from './set-aside.ts';

/** A deposit with the present linked account. */
export interface Deposit extends Payout {
  supporterId: string;
  month: Month;
  /** Counts the deposits made for the month, from one. */
  attempt: number;
  email: string;
  accountName: string;
  bsbEncrypted: Uint8Array;
  accountNumberEncrypted: Uint8Array;
  /** First day on which the account receives deposits, if it replaces another one. */
  receivesFrom: IsoDate | null;
}

/** Deposits into savings accounts; a replaced account receives after two banking days. */
export const depositKind: PayoutKind<Deposit> = {
  name: 'deposit',
  table: 'deposits',
  columns: (db) => db`
    payout.supporter_id as "supporterId", supporter.club_id as "clubId", payout.month, payout.attempt, supporter.email,
    savings.account_name as "accountName", savings.bsb_encrypted as "bsbEncrypted",
    savings.account_number_encrypted as "accountNumberEncrypted", savings.receives_from as "receivesFrom"`,
  joins: (db) => db`
    join supporters supporter on supporter.supporter_id = payout.supporter_id
    join savings_accounts savings on savings.supporter_id = payout.supporter_id`,
  isPayable: (db, now) => db`coalesce(savings.receives_from <= ${sydneyDay(now)}, true)`,
  order: (db) => db`payout.supporter_id`,
  isHeld: ({ receivesFrom }, day) => receivesFrom !== null && receivesFrom > day,
  kept: (db) => ({
    columns: db`savings.masked_number, savings.linked_at`,
    assignments: db`masked_number = next.masked_number, account_linked_at = next.linked_at`,
  }),
  payeeOf: ({ encryption }, { supporterId, accountName: name, email, bsbEncrypted, accountNumberEncrypted }) => ({
    name,
    email,
    bsb: encryption.decrypt(bsbEncrypted, `supporter ${supporterId} savings bsb`),
    accountNumber: encryption.decrypt(accountNumberEncrypted, `supporter ${supporterId} savings account number`),
  }),
  async book(tx, clock, deposit, end, fault) {
    await bookDeposit(tx, clock, deposit, end);
    const { supporterId, id, amount: amountCents } = deposit;
    if (end === 'cleared') {
      const month = deposit.month.slice(0, 7);
      return mailSavingsDeposited(tx, clock.now(), { supporterId, id, amountCents, month });
    }
    const retryOn = retryPayoutOn(failureOf(fault), deposit.attempt - 1, today(clock));
    if (!retryOn) return refuseAccount(tx, deposit, clock.now());
    await tx`update deposits set retry_on = ${retryOn} where supporter_id = ${supporterId} and id = ${id}`;
  },
};

/** Books a deposit's end; failures are set aside again (docs/rules.md#monthly-deposit). */
async function bookDeposit(tx: Db, clock: Clock, deposit: Deposit, end: PayoutEnd): Promise<void> {
  const { supporterId, id: source, clubId, amount } = deposit;
  const legs: Legs =
    end === 'cleared'
      ? { savings_depositing: amount, savings_deposited: negate(amount) }
      : {
          [end === 'reversed' ? 'savings_deposited' : 'savings_depositing']: amount,
          ...(await lockAndComputeSetAsideLegs(tx, supporterId, addToSetAside, amount)),
        };
  const bookedOn = await bookingDay(tx, clock);
  await postTransfer(tx, { supporterId, source, clubId, bookedOn, kind: `deposit_${end}`, legs });
}

/**
 * Stops further deposits to an account that cannot receive them and emails the supporter once. The money stays set
 * aside for another account (docs/decisions/savings-and-refunds.md#refused-savings-accounts).
 */
async function refuseAccount(tx: Db, { supporterId, id, amount }: Deposit, at: Date): Promise<void> {
  if (!(await markAccountRefused(tx, { supporterId, id }, at))) return;
  await mailSavingsRefused(tx, at, { supporterId, id, amountCents: amount });
}
