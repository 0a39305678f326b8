import type { Cents } from './money.ts';

/** Floors to choose from, in cents; 0 ignores the balance. */
export const balanceFloors = [0, 50_00, 100_00, 200_00] as const;
export type BalanceFloor = (typeof balanceFloors)[number];

export type DeferralReason = 'below floor' | 'below debit' | 'not readable';

/** The account's balance at the bank; undefined where it tells none, `no answer` where it may yet. */
export type BalanceReading = Cents | undefined | 'no answer';

export interface GuardedDebit {
  floor: BalanceFloor;
  amount: Cents;
  balance: BalanceReading;
  /** True if an unreadable balance already postponed the previous debit. */
  wasUnread: boolean;
  /** True if the bank is asked once more before the run is over. */
  mayAskAgain?: boolean;
}

/**
 * Why a debit waits for the next run, or that it goes, or that the bank is asked again before either is decided. A balance
 * that cannot be read makes it wait once; the time after it goes all the same, so that a bank that never answers does not
 * stop somebody's giving, and never two in a row unseen.
 */
export function checkBalance(debit: GuardedDebit): DeferralReason | 'goes' | 'asked again' {
  const { floor, amount, balance, wasUnread, mayAskAgain = false } = debit;
  if (floor === 0) return 'goes';
  if (balance === 'no answer' && mayAskAgain) return 'asked again';
  if (balance === undefined || balance === 'no answer') return wasUnread ? 'goes' : 'not readable';
  if (balance < amount) return 'below debit';
  return balance < floor ? 'below floor' : 'goes';
}

/** The most runs an amount waits before it is dropped. */
export const maxDeferrals = 3;
