import {
  type Cents,
  type IsoDate,
  lastDayOfPeriod,
  periodOf,
  type ReceiptPeriod,
  receiptPeriods,
  total,
} from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import { findClosedUntil } from '#features/core/ledger/booking-day.ts';
import { listGivenMonths, listIssued } from './receipt-repository.ts';

export interface ListedReceipt extends ReceiptPeriod {
  lastDay: IsoDate;
  totalCents: Cents;
  /** Null until it is requested. */
  number: string | null;
}

/** Lists the periods with a receipt, newest first: each closed one with clearings or reversals. */
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
    totalCents: total(
      months.filter(({ month }) => isOf(period)(periodOf(period.kind, month))).map(({ cents }) => cents),
    ),
    number: issued.find(isOf(period))?.number ?? null,
  }));
}
