import type { Cents } from './money.ts';

/** Floors to choose from, in cents; 0 ignores the balance. */
export const balanceFloors = [0, 50_00, 100_00, 200_00] as const;
export type BalanceFloor = (typeof balanceFloors)[number];

export type DeferralReason = 'below floor' | 'below debit' | 'not readable';

/** The account's balance at the bank; undefined if the bank gives none, `no answer` if the call failed and may be repeated. */
export type BalanceReading = Cents | undefined | 'no answer';

export interface GuardedDebit {
  floor: BalanceFloor;
  amount: Cents;
  balance: BalanceReading;
  /** True if an unreadable balance already postponed the previous debit. */
  wasUnread: boolean;
  /** True while the bank link will be asked again for this run. */
  mayAskAgain?: boolean;
}

/**
 * Decides whether a debit goes, waits for the next run, or is asked about again. A balance that cannot be read defers a
 * debit once; the next debit goes unread, so that a silent bank does not stop somebody's giving, and no two in a row go unread.
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
