import type { IsoDate } from '@sparechange/domain';
import type { Statement } from '#db/connect.ts';

/** The supporters of a bucket that an audit reads, in the order of their ids, some at a time. */
export interface Batches {
  /** The number of supporters listed. */
  readonly listed: number;
  /** Takes the next supporters into the audit; returns how many, and the id of the last. */
  take(size: number): Promise<{ taken: number; last: string | null }>;
  /** Parts of a WITH under whose names a check finds the rows that are read; without them it finds views of its session. */
  rows(): Statement<readonly unknown[]> | undefined;
  /** Keeps the balances of those in the audit at the end of a day, of accounts that moved since they were last closed. */
  collectBalances(until: IsoDate): Promise<void>;
  /** Closes what was kept, once the audit's transaction is over. */
  closeBalances(until: IsoDate): Promise<void>;
}
