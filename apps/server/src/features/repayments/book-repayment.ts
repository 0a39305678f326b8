import { addToSetAside, type IsoDate, negate, subtract, takeFromSetAside } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import { type Legs, postTransfer } from '#features/ledger/post.ts';
import { changeSetAside } from '#features/savings/set-aside.ts';
import type { Repayment } from './repayment-repository.ts';

type Booked = Pick<Repayment, 'supporterId' | 'id' | 'clubId' | 'amount' | 'savings' | 'isClaimed'>;

/** Books a repayment out of the club's part and set-aside. */
export async function bookPlanned(db: Db, repayment: Booked, bookedOn: IsoDate): Promise<void> {
  const { supporterId, id: source, clubId, amount, savings } = repayment;
  const aside = await changeSetAside(db, supporterId, takeFromSetAside, savings);
  const legs: Legs = { repaying: negate(amount), club_payable: subtract(amount, savings), ...aside };
  await postTransfer(db, { supporterId, source, clubId, bookedOn, kind: 'repayment_planned', legs });
}

export async function bookArrived(db: Db, repayment: Booked, bookedOn: IsoDate): Promise<void> {
  const { supporterId, id: source, clubId, amount } = repayment;
  const legs: Legs = { repaying: amount, repaid: negate(amount) };
  await postTransfer(db, { supporterId, source, clubId, bookedOn, kind: 'repayment_cleared', legs });
}

/**
 * Books a repayment that failed back to whom it came from: the club and the set-aside, or, where the bank has taken the
 * debit back meanwhile, off what the payer owes us.
 */
export async function bookFailed(
  db: Db,
  repayment: Booked,
  step: 'refused' | 'returned' | 'reversed',
  bookedOn: IsoDate,
): Promise<void> {
  const { supporterId, id: source, clubId, amount } = repayment;
  const from: Legs = step === 'reversed' ? { repaid: amount } : { repaying: amount };
  const legs = { ...from, ...(await backTo(db, repayment)) };
  await postTransfer(db, { supporterId, source, clubId, bookedOn, kind: `repayment_${step}`, legs });
}

async function backTo(db: Db, { supporterId, amount, savings, isClaimed }: Booked): Promise<Legs> {
  if (isClaimed) return { receivable_from_payer: negate(amount) };
  return {
    club_payable: subtract(savings, amount),
    ...(await changeSetAside(db, supporterId, addToSetAside, savings)),
  };
}
