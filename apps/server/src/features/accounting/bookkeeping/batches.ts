import type { IsoDate } from '@sparechange/domain';
import type { Statement } from '#db/connect.ts';

/** Supporters of a bucket that an audit reads, in the order of their ids, in batches. */
export interface Batches {
  readonly listed: number;
  /** Takes the next supporters into the audit; returns their number, and the id of the last. */
  take(size: number): Promise<{ taken: number; last: string | null }>;
  /** Parts of a WITH under whose names a check finds the rows to read; without them it finds views of its session. */
  rows(): Statement<readonly unknown[]> | undefined;
  /**
   * Stores the audited supporters' balances at the end of a day, of accounts that moved since they were last closed.
   */
  collectBalances(until: IsoDate): Promise<void>;
  /** Closes the stored balances, once the audit's transaction is over. */
  closeBalances(until: IsoDate): Promise<void>;
}
