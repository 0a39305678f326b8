import { noCents } from '@sparechange/domain';
import type { NamedRow } from './others-in-csv.ts';
import type { BalancedRow } from './running-balance.ts';

const names = ['closing_bal', 'closing_balance'];

/** Returns whether a column of balances may say the one at the end of the day beside each of its movements. */
export const isOfClosing = (column: string | undefined): boolean => column !== undefined && names.includes(column);

/** Returns whether a row says the balance of a day without movements, as Westpac writes it. */
export const isBalanceAlone = ({ cell }: NamedRow, balance: string, others: readonly string[]): boolean =>
  cell(balance) !== '' && others.every((column) => cell(column) === '');

/** Keeps each day's balance at its last movement alone, where all movements of a day name the same one. */
export function atEndsOfDays(rows: readonly BalancedRow[]): BalancedRow[] {
  const isNewestFirst = (rows[0]?.bookedOn ?? '') > (rows.at(-1)?.bookedOn ?? '');
  return [...Map.groupBy(rows, ({ bookedOn }) => bookedOn).values()].flatMap((day) => {
    const moving = day.filter(({ cents }) => cents !== noCents);
    const isOne = moving.length > 1 && new Set(day.map(({ balance }) => balance)).size === 1;
    const last = isNewestFirst ? day[0] : day.at(-1);
    return day.map((row) => (isOne && row !== last ? { ...row, balance: undefined } : row));
  });
}
