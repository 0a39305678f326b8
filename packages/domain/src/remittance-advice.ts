import type { IsoDate } from './days.ts';
import { type Cents, noCents, total } from './money.ts';

/** The fee for running the product: none. One would have to be booked before it may be shown. */
const payoutFee: Cents = noCents;

/** A club's cleared and reversed amounts of a day. */
export interface PayoutAmounts {
  /** Everything that was collected, the savers' part included. */
  gross: Cents;
  /** Collected before and taken back by a bank, whole. */
  returned: Cents;
  /** The part of both that is the savers' own. */
  savings: Cents;
  /** The club's part, by the club's books. */
  net: Cents;
}

export interface PayoutDay extends PayoutAmounts {
  day: IsoDate;
  supporters: number;
}

export interface PayoutTotals extends PayoutAmounts {
  fees: Cents;
}

/**
 * The days of a deposit added up: gross less returned, the savings part and fees is what each day nets, and the days
 * and what was adjusted beside them (corrections, a reserve) together are the deposit. Throws when that is a cent off: such an advice must not reach a treasurer.
 */
export function addUpPayout(days: readonly PayoutDay[], deposit: Cents, adjusted: Cents = noCents): PayoutTotals {
  for (const { day, gross, returned, savings, net } of days) {
    if (gross - returned - savings !== net)
      throw new RangeError(`${day}: ${gross} less ${returned} and ${savings} is not ${net}`);
  }
  const sum = (part: keyof PayoutAmounts): Cents => total(days.map((day) => day[part]));
  if (sum('net') + adjusted - payoutFee !== deposit)
    throw new RangeError(
      `the days come to ${sum('net')}, adjustments to ${adjusted}, fees are ${payoutFee}, the deposit is ${deposit}`,
    );
  return { gross: sum('gross'), returned: sum('returned'), savings: sum('savings'), fees: payoutFee, net: deposit };
}
