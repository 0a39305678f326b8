import type { IsoDate, ReceiptPeriod } from '@sparechange/domain';
import { lastDayOfPeriod, periodOf, receiptPeriods } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import { findClosedUntil } from '#features/ledger/booking-day.ts';
import { listGivenMonths, listIssued } from './receipt-repository.ts';

export interface ListedReceipt extends ReceiptPeriod {
  lastDay: IsoDate;
  totalCents: number;
  /** Null until it is asked for. */
  number: string | null;
}

/** Lists the periods with a receipt, newest first: each closed one in which something cleared or was taken back. */
export async function listReceipts(db: Db, supporterId: string): Promise<ListedReceipt[]> {
  const months = await listGivenMonths(db, supporterId);
  const periods = receiptPeriods(
    months.map(({ month }) => month),
    await findClosedUntil(db),
  );
  const issued = await listIssued(db, supporterId);
  const isOf = (period: ReceiptPeriod) => (other: ReceiptPeriod) =>
    other.kind === period.kind && other.firstDay === period.firstDay;
  return periods.map((period) => ({
    ...period,
    lastDay: lastDayOfPeriod(period),
    totalCents: months
      .filter(({ month }) => isOf(period)(periodOf(period.kind, month)))
      .reduce((sum, { cents }) => sum + cents, 0),
    number: issued.find(isOf(period))?.number ?? null,
  }));
}
