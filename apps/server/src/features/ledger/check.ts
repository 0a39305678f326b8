import type { IsoDate } from '@sparechange/domain';
import type { Db, Statement } from '#db/connect.ts';

/** One row per violation, and one with the number checked. */
export interface Finding {
  violation: string | null;
  checked: number;
}

/**
 * Invariants by name. A check is a statement that has not been run, so that the audit can count what it finds. A check
 * of closed days looks only at those after the given one.
 */
export type Checks = Record<string, (db: Db, since: IsoDate | null) => Statement<Finding[]>>;
