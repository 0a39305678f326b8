import { nextBankingDay } from './banking-calendar.ts';
import type { IsoDate } from './days.ts';
import type { ReturnCode } from './returned-debit.ts';

/** Why a payment to a club or into a savings account failed: its return code, or that the provider refused it. */
export type PayoutFailure = ReturnCode | 'refused' | 'account_invalid';

/** Banking days until a payment is made again: after its first failure, the second, and every later one. */
const waits = [1, 2, 4] as const;

/** Codes that say nothing against the account: payment stopped, refer to customer, our own Direct Entry user ID. */
const mayPass: readonly PayoutFailure[] = [2, 6, 8, 'refused'];

/**
 * Returns the banking day on which a failed payment is made again, or undefined where the account's details are wrong and
 * it waits for other ones. `failuresBefore` counts the failures of the same money until now.
 */
export function retryPayoutOn(failure: PayoutFailure, failuresBefore: number, day: IsoDate): IsoDate | undefined {
  if (!mayPass.includes(failure)) return undefined;
  let retryOn = day;
  for (let left = waits[Math.min(failuresBefore, waits.length - 1)] ?? 4; left > 0; left -= 1)
    retryOn = nextBankingDay(retryOn);
  return retryOn;
}
