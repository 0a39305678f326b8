import {
  type BankFile,
  type BankFileOrders,
  type BankFileState,
  listBankFiles,
  listPayments,
  listReturnsFiles,
  retrieveBankFileState,
} from '@sparechange/contract/console';
import { formatCents, shortDay } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import { instantAsDay } from '../../words.ts';

/** Lists that change with each act on a bank file. */
export const changedByFiles = [listBankFiles, retrieveBankFileState, listReturnsFiles, listPayments];

export const ordersInWords = ({ kind, orders }: Pick<BankFileOrders, 'kind' | 'orders'>): string =>
  counted(orders, kind);

/** "3 debits for $12.40". */
export const sumInWords = (orders: BankFileOrders): string =>
  `${ordersInWords(orders)} for ${formatCents(orders.totalCents)}`;

export const fileStates: Record<BankFileState, { name: string; tone: 'plain' | 'good' | 'bad' }> = {
  written: { name: 'To be lodged', tone: 'bad' },
  lodged: { name: 'Lodged', tone: 'plain' },
  cleared: { name: 'Cleared', tone: 'good' },
  withdrawn: { name: 'Withdrawn', tone: 'plain' },
};

/** Says when a file entered and left its state. */
export function stateDetails({ state, lodgedAt, clearsOn, withdrawnAt }: BankFile): string[] {
  if (withdrawnAt) return [`on ${instantAsDay(withdrawnAt)}`];
  if (!lodgedAt || !clearsOn) return [];
  if (state === 'cleared') return [`on ${shortDay(clearsOn)}`];
  return [`on ${instantAsDay(lodgedAt)}`, `clears on ${shortDay(clearsOn)}`];
}
