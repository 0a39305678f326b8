import {
  add,
  type Cents,
  formatCents,
  type IsoDate,
  magnitude,
  moreOrLess,
  negate,
  noCents,
  subtract,
  total,
} from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import { centsOf, type StatementFile, type Unproven } from './statement-file.ts';

/** A row of a file with the balance after it, if it has one. */
export interface BalancedRow {
  where: string;
  bookedOn: IsoDate;
  cents: Cents;
  balance: Cents | undefined;
}

type Balances = Pick<StatementFile, 'openingCents' | 'closingCents'>;
type RunningBalances = Balances & Pick<StatementFile, 'hasRunningBalance' | 'otherOrder' | 'unproven'>;

/** A balance that the rows do not lead to, or rows without a balance after them. */
interface Break {
  /** More than zero; for rows without a balance, the sum of their amounts. */
  size: Cents;
  /** Balance less the amount that the rows lead to. */
  missing: Cents;
  words: string;
}

interface Reading {
  balances: Balances;
  breaks: Break[];
}

/** Reads a balance, which may say CR or DR; undefined for an empty cell. */
export function balanceOf(cell: string, where: string): Cents | undefined {
  if (cell === '') return undefined;
  const written = cell.replace(/\s?[CD]R$/i, '');
  const amount = centsOf(written, `${where}, balance`);
  return /DR$/i.test(cell) ? negate(magnitude(amount)) : amount;
}

/** Follows the balances of rows, oldest first; undefined if no row has one. */
function follow(rows: readonly BalancedRow[]): Reading | undefined {
  const breaks: Break[] = [];
  let opening: Cents | undefined;
  let last: { where: string; balance: Cents } | undefined;
  let since: BalancedRow[] = [];
  for (const row of rows) {
    since.push(row);
    const { where, balance } = row;
    if (balance === undefined) continue;
    const moved = total(since.map((each) => each.cents));
    const missing = last ? subtract(balance, add(last.balance, moved)) : noCents;
    opening ??= subtract(balance, moved);
    if (last && missing !== 0) {
      const words = `${where}: the balance of ${formatCents(balance)} is ${moreOrLess(missing)} than that of ${last.where} and the amounts since come to.`;
      breaks.push({ size: magnitude(missing), missing, words });
    }
    last = { where, balance };
    since = [];
  }
  if (opening === undefined || !last) return undefined;
  const moving = since.filter((row) => row.cents !== 0);
  const size = total(moving.map((row) => magnitude(row.cents)));
  const words = `${moving[0]?.where}: no balance comes after it, so it may be pending. Leave that line out until the bank has booked it.`;
  if (size > 0) breaks.push({ size, missing: noCents, words });
  return {
    balances: { openingCents: opening, closingCents: add(last.balance, total(since.map((row) => row.cents))) },
    breaks,
  };
}

const remedy =
  "Lines may be missing, or stand in another order than the bank's: export whole days again, as the bank lists them.";

function unprovenOf(breaks: readonly Break[]): Unproven | undefined {
  const [first] = breaks;
  if (!first) return undefined;
  const more = breaks.length > 1 ? [`So it is with ${counted(breaks.length - 1, 'more line')}.`] : [];
  return {
    cents: total(breaks.map(({ size }) => size)),
    missingCents: total(breaks.map(({ missing }) => missing)),
    words: [first.words, ...more, ...(breaks.every(isPending) ? [] : [remedy])].join(' '),
  };
}

/** Returns whether rows in one order are refuted by nothing but by the lack of a last balance. */
const isPending = ({ missing }: Break): boolean => missing === 0;

const contradictions = ({ breaks }: Reading): number => breaks.filter((each) => !isPending(each)).length;

/** Returns whether days stand in order, the oldest first. */
const areInOrder = (rows: readonly BalancedRow[]): boolean =>
  rows.every(({ bookedOn }, at) => at === 0 || (rows[at - 1]?.bookedOn ?? '') <= bookedOn);

/** Returns the orders in which rows may be read, likeliest first: that of the days, where they stand in one. */
function ordersOf(rows: readonly BalancedRow[]): (readonly BalancedRow[])[] {
  const [first = '', last = ''] = [rows[0]?.bookedOn, rows.at(-1)?.bookedOn];
  const orders = first > last ? [rows.toReversed(), rows] : [rows, rows.toReversed()];
  return first !== last && orders[0] && areInOrder(orders[0]) ? orders.slice(0, 1) : orders;
}

const balancesOf = ({ balances, breaks }: Reading) => ({ ...balances, unproven: unprovenOf(breaks) });

/**
 * Reads opening and closing balance from a column of balances. The oldest row is the first or the last: the days decide,
 * or else the balances that contradict a choice less. Of rows of one day that fit either way the choice that proves less
 * is taken, so that a row without a balance at one end is not taken for a booked one.
 */
export function readRunningBalance(rows: readonly BalancedRow[]): RunningBalances {
  const isOneDay = rows[0]?.bookedOn === rows.at(-1)?.bookedOn;
  const readings = ordersOf(rows).flatMap((order) => follow(order) ?? []);
  const [best, other] = readings.toSorted(
    (one, another) => contradictions(one) - contradictions(another) || another.breaks.length - one.breaks.length,
  );
  if (!best) return {};
  const { unproven, ...balances } = balancesOf(best);
  const isEither =
    isOneDay &&
    other !== undefined &&
    contradictions(other) === contradictions(best) &&
    best.balances.closingCents !== other.balances.closingCents;
  return {
    ...balances,
    hasRunningBalance: true,
    ...(isEither ? { otherOrder: balancesOf(other) } : {}),
    ...(unproven ? { unproven } : {}),
  };
}
