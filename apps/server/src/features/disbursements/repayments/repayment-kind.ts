import { addToSetAside, type Cents, type IsoDate, negate, subtract, takeFromSetAside } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import { bookingDay } from '#features/core/ledger/booking-day.ts';
import { type Legs, postTransfer } from '#features/core/ledger/post.ts';
import type { Payout, PayoutEnd, PayoutKind } from '#features/core/payouts/payout-kind.ts';
import { mailRefundedDebit } from '#features/correspondence/emails/queue-debit-emails.ts';
import { lockAndComputeSetAsideLegs } from '#features/disbursements/savings/set-aside.ts';
import { lockDebit } from './repayment-repository.ts';

/** A repayment of a debit, with the debited account. */
export interface Repayment extends Payout {
  supporterId: string;
  debitId: string;
  /** Part of it that had been set aside. */
  savings: Cents;
  /** True if the payer's bank has also reversed the debit. */
  isClaimed: boolean;
  email: string;
  accountName: string;
  bsbEncrypted: Uint8Array;
  accountNumberEncrypted: Uint8Array;
}

/**
 * Refunds to supporters. The account may be gone by now: then its number cannot be read, which refuses the repayment.
 */
export const repaymentKind: PayoutKind<Repayment> = {
  name: 'repayment',
  table: 'repayments',
  columns: (db) => db`
    payout.supporter_id as "supporterId", payout.debit_id as "debitId", debit.club_id as "clubId",
    payout.savings_cents as savings, payout.debit_claimed as "isClaimed", supporter.email,
    mandate.payer_name as "accountName", account.bsb_encrypted as "bsbEncrypted",
    account.account_number_encrypted as "accountNumberEncrypted"`,
  joins: (db) => db`
    join debits debit on debit.supporter_id = payout.supporter_id and debit.id = payout.debit_id
    join supporters supporter on supporter.supporter_id = payout.supporter_id
    join mandates mandate on mandate.supporter_id = debit.supporter_id and mandate.id = debit.mandate_id
    left join accounts account on account.supporter_id = mandate.supporter_id and account.id = mandate.account_id`,
  isPayable: (db) => db`true`,
  order: (db) => db`payout.planned_at, payout.id`,
  payeeOf: ({ encryption }, { supporterId, accountName: name, email, bsbEncrypted, accountNumberEncrypted }) => ({
    name,
    email,
    bsb: encryption.decrypt(bsbEncrypted, `supporter ${supporterId} bsb`),
    accountNumber: encryption.decrypt(accountNumberEncrypted, `supporter ${supporterId} account number`),
  }),
  lockBefore: (tx, { supporterId, debitId }) => lockDebit(tx, supporterId, debitId), // a claim on it must see its end
  afterAccepted: (tx, clock, repayment) => mailRefundedDebit(tx, clock.now(), repayment),
  book: async (tx, clock, repayment, end) => bookEnd(tx, repayment, end, await bookingDay(tx, clock)),
};

type Booked = Pick<Repayment, 'supporterId' | 'id' | 'clubId' | 'amount' | 'savings' | 'isClaimed'>;

/** Books a repayment out of the club's part and set-aside. */
export async function bookPlanned(db: Db, repayment: Booked, bookedOn: IsoDate): Promise<void> {
  const { supporterId, id: source, clubId, amount, savings } = repayment;
  const aside = await lockAndComputeSetAsideLegs(db, supporterId, takeFromSetAside, savings);
  const legs: Legs = { repaying: negate(amount), club_payable: subtract(amount, savings), ...aside };
  await postTransfer(db, { supporterId, source, clubId, bookedOn, kind: 'repayment_planned', legs });
}

/**
 * Books an arrival; a failure is booked back to its sources, the club and the set-aside, or, if the bank has since
 * reversed the debit, deducted from the payer's debt to us.
 */
export async function bookEnd(db: Db, repayment: Booked, end: PayoutEnd, bookedOn: IsoDate): Promise<void> {
  const { supporterId, id: source, clubId, amount } = repayment;
  const legs: Legs =
    end === 'cleared'
      ? { repaying: amount, repaid: negate(amount) }
      : { [end === 'reversed' ? 'repaid' : 'repaying']: amount, ...(await backTo(db, repayment)) };
  await postTransfer(db, { supporterId, source, clubId, bookedOn, kind: `repayment_${end}`, legs });
}

async function backTo(db: Db, { supporterId, amount, savings, isClaimed }: Booked): Promise<Legs> {
  if (isClaimed) return { receivable_from_payer: negate(amount) };
  return {
    club_payable: subtract(savings, amount),
    ...(await lockAndComputeSetAsideLegs(db, supporterId, addToSetAside, savings)),
  };
}
