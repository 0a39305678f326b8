import type { IsoDate } from '@sparechange/domain';
import type { Db, Statement } from '#db/connect.ts';

/** One row per violation, and one with the number checked. */
export interface Finding {
  violation: string | null;
  checked: number;
}

/**
 * An unexecuted statement, so that the audit can count its findings. A check of closed days covers only those after the
 * given one.
 */
export type Find = (db: Db, since: IsoDate | null) => Statement<Finding[]>;

/** A temporary table's rows, in the order of its columns. */
export interface Rows {
  columns: string;
  select(db: Db, since: IsoDate | null): Statement<readonly unknown[]>;
}

/** A check of control against supporters in many buckets. */
export interface Comparison {
  /** Control's rows for the table `requested_of_buckets` in each bucket's session. */
  requested?: Rows;
  /** Each bucket's rows for the table `reported_by_buckets` in control's session. */
  reported: Rows;
  find: Find;
}

export type Check = (Comparison | { find: Find }) & { home: 'bucket' | 'control' | 'both' };

/** Invariants by name. */
export type Checks = Record<string, Check>;

const at =
  <Home extends Check['home']>(home: Home) =>
  (checks: Record<string, Find | Comparison>): Checks =>
    Object.fromEntries(
      Object.entries(checks).map(([name, check]) => [
        name,
        { ...(typeof check === 'function' ? { find: check } : check), home },
      ]),
    );

/** Checks within one bucket. */
export const ofBuckets = at('bucket');
/** Checks of control, also against reports of the buckets. */
export const ofControl = at('control');
/** Checks of tables that control and every bucket have. */
export const ofBoth = at('both');
